import { spawn } from 'node:child_process';
import { root } from '../prepare/files.mjs';

const MOCHA = 'node_modules/mocha/bin/mocha.js';
const SUITES = 'dist/test/**/*.test.js';
/** What measures time must not share the processor with other suites. */
const TIMED = 'dist/test/timed/**/*.test.js';
// .mocharc.json is for suites run from source.
const OPTIONS = ['--no-config', '--forbid-only', '--timeout=60000', '--slow=2000'];

/**
 * Runs every compiled suite under mocha, those that measure time alone and first, and prints mocha's summary last;
 * answers its exit code.
 */
export async function runSuites(args, env) {
  const timed = await runMocha([...args, TIMED], env);
  if (timed !== 0) return timed;
  return runMocha(['--parallel', '--jobs=2', '--ignore', TIMED, ...args, SUITES], env);
}

function runMocha(args, env) {
  const child = spawn(process.execPath, [MOCHA, ...OPTIONS, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
