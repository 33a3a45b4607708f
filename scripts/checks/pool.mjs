import { spawn } from 'node:child_process';
import { root } from '../prepare/files.mjs';

/** Runs checks, a few at a time, and prints each under its title. Answers whether all passed; stops at a failure. */
export async function runAll(checks, atOnce) {
  const waiting = [...checks];
  const running = new Set();
  let failed = false;

  const worker = async () => {
    for (let check = waiting.shift(); check && !failed; check = waiting.shift()) {
      const passed = await runOne(check, running);
      if (passed || failed) continue;
      failed = true;
      for (const child of running) child.kill();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return !failed;
}

/** Runs one check with its output held back, so that checks side by side do not mix theirs. */
function runOne({ title, args }, running) {
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      if (signal === null) report(title, code === 0, began, Buffer.concat(output).toString());
      resolve(code === 0);
    });
  });
}

function report(title, passed, began, output) {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`\n── ${title}: ${passed ? 'ok' : 'FAILED'} (${seconds} s)`);
  if (output.trim() !== '') console.log(output.trimEnd());
}
