import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const children = new Set();
const hasTaskset = (() => {
  try {
    execFileSync('taskset', ['-p', String(process.pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** What is measured runs on the first core, everything else on the second; where that cannot be, they share. */
export const cores = hasTaskset ? { measured: '0', rest: '1' } : undefined;

/** Keeps this process, which makes the load, off the core of what is measured. */
export function pinSelf() {
  if (cores)
    execFileSync('taskset', ['-a', '-c', '-p', cores.rest, String(process.pid)], { stdio: 'ignore' });
}

/** Starts a module of this folder, or any file, and answers the port that it prints. */
export async function start(file, { args = [], env = {}, core = 'measured', says = /port (\d+)/ } = {}) {
  const path = file.startsWith('/') ? file : fileURLToPath(new URL(file, import.meta.url));
  const node = [process.execPath, '--max-semi-space-size=32', path, ...args];
  const [command, ...rest] = cores ? ['taskset', '-c', cores[core], ...node] : node;
  const child = spawn(command, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.on('exit', () => children.delete(child));
  const port = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const said = says.exec(text);
      if (said) resolve(Number(said[1]));
    });
    child.on('exit', (code) => reject(new Error(`${path} ended with ${code} before it was ready:\n${text}`)));
  });
  return { port, pid: child.pid };
}

/** Ends every process that was started here. */
export async function stopAll() {
  await Promise.all(
    [...children].map(
      (child) =>
        new Promise((resolve) => {
          child.on('exit', resolve);
          child.kill('SIGTERM');
        }),
    ),
  );
}
