import { Worker } from 'node:worker_threads';
import type { Logger } from '../telemetry/logger.ts';

/** Looks within the time allowed. Looks measure it, because a clock goes on while a process or a machine is suspended. */
const LOOKS = 10;

/** It holds some 4 MiB; a limit costs nothing until it is needed. */
const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

/**
 * Writes the line itself, for the main thread cannot, and in the background: a reader of the log that hangs must not
 * hold up the end. A script, so that it needs no loader and little memory.
 */
const SCRIPT = `
  const { write } = require('node:fs');
  const { workerData: { beats, seconds, looks } } = require('node:worker_threads');
  let last = 0;
  let missed = 0;
  const looking = setInterval(() => {
    const seen = Atomics.load(beats, 0);
    missed = seen === last ? missed + 1 : 0;
    last = seen;
    if (missed === looks) giveUp();
  }, (seconds * 1000) / looks);

  function giveUp() {
    clearInterval(looking);
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
 * Ends this process with SIGKILL once its main loop has not turned for `seconds`, so that its supervisor starts
 * another: a loop without end hears no signal. Not as process 1 of a container, which Linux spares signals of its own:
 * there an init belongs before it. Watches from a thread of its own until the process exits; 0: not at all.
 */
export function startWatchdog(seconds: number, logger: Logger): void {
  if (seconds === 0) return;
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, 0, 1), (seconds * 1000) / LOOKS).unref();
  const workerData = { beats, seconds, looks: LOOKS };
  new Worker(SCRIPT, { eval: true, workerData, env: {}, execArgv: [], resourceLimits: LIMITS })
    .on('error', (error) =>
      logger.error({ err: error }, 'The watchdog is gone; nobody notices a main loop that hangs'),
    )
    .unref();
}
