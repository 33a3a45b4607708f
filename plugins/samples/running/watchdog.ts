import { Worker } from 'node:worker_threads';

/**
 * Runs beside an algorithm, which may never give its thread back. Ends the process when it holds too much memory, on
 * or off the heap, and when the service is gone. A script, so that it needs no loader and starts at once.
 */
const SCRIPT = `
  const { workerData: { parent, maxBytes } } = require('node:worker_threads');
  setInterval(() => {
    if (process.ppid !== parent || process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;

/** Watches this process from a thread of its own. */
export function startWatchdog(maxBytes: number): void {
  new Worker(SCRIPT, { eval: true, workerData: { parent: process.ppid, maxBytes } }).unref();
}
