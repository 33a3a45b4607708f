import { spawn } from 'node:child_process';
import { root } from '../prepare/files.mjs';

const MOCHA = 'node_modules/mocha/bin/mocha.js';
/** The longest first: at the end none of the workers is left alone with one of them. */
const SUITES = [
  'build/test/promises/**/*.test.js',
  'build/test/e2e/**/*.test.js',
  'build/test/!(promises|e2e)/**/*.test.js',
];
/** What measures time must not share the processor with other suites. */
const TIMED = 'build/test/timed/**/*.test.js';
// .mocharc.json is for suites run from source.
const OPTIONS = [
  '--no-config',
  '--forbid-only',
  '--timeout=60000',
  '--slow=2000',
  '--require=./build/test/support/databases/template-databases.js',
  '--reporter=scripts/checks/reporter.cjs',
];

/**
 * Runs every compiled suite under mocha, those that measure time alone and first, and prints mocha's summary last;
 * answers its exit code.
 */
export async function runSuites(args, env) {
  const timed = await runMocha([...args, TIMED], env);
  if (timed !== 0) return timed;
  // Suites wait more than they work: three side by side keep two cores busy.
  return runMocha(['--parallel', '--jobs=3', '--ignore', TIMED, ...args, ...SUITES], env);
}

function runMocha(args, env) {
  const child = spawn(process.execPath, [MOCHA, ...OPTIONS, ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    let ended = false;
    child.on('message', (message) => {
      ended ||= message?.ended === true;
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (ended) return resolve(code ?? 1);
      // Without workers and suites left to wait for, mocha ends without a summary, and with 0.
      console.error(`\nMocha ended with ${signal ?? `exit code ${code}`} before its suites did.`);
      resolve(code || 1);
    });
  });
}
