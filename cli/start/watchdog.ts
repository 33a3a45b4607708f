import { Worker } from 'node:worker_threads';
import type { Logger } from '../../core/telemetry/logger.ts';

/** Checks per time limit. Checks are counted, because a clock continues while the process or the machine is suspended. */
const CHECKS = 10;

/** The thread needs about 4 MiB; a higher limit takes no memory in advance. */
const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

/**
 * Writes the log line itself, because the main thread cannot, and asynchronously, so that a blocked reader of the log
 * does not delay the kill. A script needs no loader and little memory.
 */
const SCRIPT = `
  const { write } = require('node:fs');
  const { workerData: { beats, seconds, checks } } = require('node:worker_threads');
  let last = 0;
  let missed = 0;
  const checking = setInterval(() => {
    const seen = Atomics.load(beats, 0);
    missed = seen === last ? missed + 1 : 0;
    last = seen;
    if (missed === checks) kill();
  }, (seconds * 1000) / checks);

  function kill() {
    clearInterval(checking);
    const line = {
      level: 'error',
      time: new Date().toISOString(),
      pid: process.pid,
      hung_s: seconds,
      msg: 'The main loop has hung for ' + seconds + ' s; the watchdog ends this process (server.watchdog_s)',
    };
    write(2, JSON.stringify(line) + '\\n', end);
    setTimeout(end, 1000);
  }

  function end() {
    process.kill(process.pid, 'SIGKILL');
  }
`;

/**
 * Kills this process with SIGKILL when its main loop has been blocked for `seconds`, so that its supervisor starts
 * another: an endless loop handles no signal. Does not work for process 1 of a container, which Linux protects from its
 * own signals, so containers need an init. Runs in a thread until the process exits; 0 disables it.
 */
export function startWatchdog(seconds: number, logger: Logger): void {
  if (seconds === 0) return;
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, 0, 1), (seconds * 1000) / CHECKS).unref();
  const workerData = { beats, seconds, checks: CHECKS };
  new Worker(SCRIPT, { eval: true, workerData, env: {}, execArgv: [], resourceLimits: LIMITS })
    .on('error', (error) =>
      logger.error({ err: error }, 'The watchdog has failed; a hanging main loop will not be noticed'),
    )
    .unref();
}
