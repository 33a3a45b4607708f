import { spawn } from 'node:child_process';
import { root } from './files.mjs';

/** Tells what is going on, on the error stream: the output of a command stays its own. */
export function say(text) {
  console.error(`vitrine: ${text}`);
}

/** Runs a program in the clone with its output shown; throws when it does not exit with 0. */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(new Error(`"${[program, ...args].join(' ')}" ended with ${signal ?? `exit code ${code}`}.`));
    });
  });
}

/** Runs npm: the one that started this script, where there is one. */
export function npm(args) {
  const started = process.env.npm_execpath;
  if (started?.endsWith('.js')) return run(process.execPath, [started, ...args]);
  return run('npm', args, { shell: process.platform === 'win32' });
}
