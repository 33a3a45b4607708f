import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';

/** A worker that ends so soon after its start would end again: the wait before the next one doubles up to this. */
const LONGEST_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 250;

/**
 * Runs the service in several processes that share one port, replaces those that die, and hands SIGTERM and SIGINT on.
 * Answers the exit code: 0 when every worker stopped cleanly, 1 otherwise, also when the first ones cannot start.
 */
export function superviseWorkers(
  count: number,
  announce: (lines: readonly string[]) => void,
): Promise<number> {
  let stopping = false;
  let served = false;
  let code = 0;
  let pauseMs = FIRST_PAUSE_MS;
  return new Promise((resolve) => {
    const start = (): void => {
      const worker = cluster.fork();
      worker.on('message', ({ lines }: { lines: readonly string[] }) => {
        if (!served) announce([...lines, `${count} worker processes share the port.`]);
        served = true;
        pauseMs = FIRST_PAUSE_MS;
      });
    };
    const replace = async (): Promise<void> => {
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      if (!stopping) start();
    };
    cluster.on('exit', (_worker: Worker, exitCode: number | null) => {
      if (stopping || !served) {
        code ||= exitCode === 0 ? 0 : 1;
        stopping ||= code !== 0;
        stopAll();
        if (Object.keys(cluster.workers ?? {}).length === 0) resolve(code);
      } else void replace();
    });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        stopping = true;
        stopAll();
      });
    }
    for (let started = 0; started < count; started += 1) start();
  });
}

function stopAll(): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
}
