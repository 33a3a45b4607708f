import { spawn } from 'node:child_process';
import { root } from '../prepare/files.mjs';

const MOCHA = 'node_modules/mocha/bin/mocha.js';
const SUITES = 'dist/test/**/*.test.js';
// .mocharc.json is for suites run from source.
const OPTIONS = ['--no-config', '--forbid-only', '--parallel', '--jobs=2', '--timeout=60000', '--slow=2000'];

/** Runs every compiled suite under mocha, whose summary is the last thing printed; answers its exit code. */
export function runSuites(args, env) {
  const child = spawn(process.execPath, [MOCHA, ...OPTIONS, ...args, SUITES], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
