import { spawn } from 'node:child_process';
import { root } from '../prepare/files.mjs';

const MOCHA = 'node_modules/mocha/bin/mocha.js';
/** Those that boot the whole service first: at the end no worker is left alone with one of them. */
const SUITES = [
  'build/test/{promises,e2e,conformance}/**/!(*.long).test.js',
  'build/test/!(promises|e2e|conformance)/**/!(*.long).test.js',
];
/** Kills, floods and figures that depend on time, which other suites would disturb. */
const LONG_SUITES = 'build/test/**/*.long.test.js';
// .mocharc.json is for suites run from source.
const OPTIONS = [
  '--no-config',
  '--forbid-only',
  '--timeout=60000',
  '--slow=2000',
  '--require=./build/test/support/databases/template-databases.js',
  '--reporter=scripts/checks/reporter.cjs',
];

/** Runs the compiled suites under mocha, which prints its summary last; answers its exit code. */
export function runSuites(args, env) {
  // Suites wait more than they work: four side by side keep two cores busy.
  return runMocha(['--parallel', '--jobs=4', ...args, ...SUITES], env);
}

/** Runs the long suites, two at a time: most of them wait for processes of their own. */
export function runLongSuites(args, env) {
  return runMocha(['--parallel', '--jobs=2', ...args, LONG_SUITES], env);
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
