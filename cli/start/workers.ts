import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../core/telemetry/logger.ts';
import { WorkerMetrics } from '../../core/telemetry/worker-metrics.ts';
import { STOP_SIGNALS } from './stop-signals.ts';
import { WORKER_ENVIRONMENT } from './supervisor.ts';
import type { SupervisorMessage, WorkerMessage } from './worker-messages.ts';

/** The pause before replacing a worker that ended soon after its start doubles up to this. */
const LONGEST_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 250;

/**
 * Runs the service in several processes that share one port, logs and replaces those that die, stops them at a signal, and
 * aggregates their metrics. Returns the exit code: 0 when every worker stopped cleanly, 1 otherwise, also when the first
 * workers cannot start.
 */
export function superviseWorkers(
  count: number,
  announce: (lines: readonly string[]) => void,
  logger: Pick<Logger, 'error'>,
): Promise<number> {
  let stopping = false;
  let served = false;
  let code = 0;
  let pauseMs = FIRST_PAUSE_MS;
  const numbers = new Map<number, number>();
  const metrics = new WorkerMetrics(count);
  // Metrics may be Infinity or NaN, which JSON cannot represent.
  cluster.setupPrimary({ serialization: 'advanced' });
  return new Promise((resolve) => {
    const start = (number: number): void => {
      const worker = cluster.fork(WORKER_ENVIRONMENT);
      numbers.set(worker.id, number);
      worker.on('message', (message: WorkerMessage) => {
        if ('ask' in message) return void answer(worker, message.ask, metrics);
        if ('snapshot' in message) return metrics.answered(number, message.collection, message.snapshot);
        metrics.started(number, (collection) => send(worker, { collection }));
        if (!served) announce([...message.lines, `${count} worker processes share the port.`]);
        served = true;
        pauseMs = FIRST_PAUSE_MS;
      });
    };
    /** Also settles when no worker is alive because all wait to be replaced. */
    const stop = (): void => {
      const alive = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false);
      for (const worker of alive) worker?.process.kill('SIGTERM');
      if (alive.length === 0) resolve(code);
    };
    const replace = async (number: number): Promise<void> => {
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      if (!stopping) start(number);
    };
    cluster.on('exit', (worker: Worker, exitCode: number | null, signal: string | null) => {
      const number = numbers.get(worker.id)!;
      metrics.ended(number);
      if (stopping || !served) {
        // A worker that still starts has no handler of signals yet.
        code ||= exitCode === 0 || (stopping && signal === 'SIGTERM') ? 0 : 1;
        stopping ||= code !== 0;
        stop();
      } else {
        // A worker that was killed, for lack of memory for example, has logged nothing itself.
        const facts = { worker: number, worker_pid: worker.process.pid, code: exitCode, signal };
        logger.error(facts, 'A worker process ended, and another one takes its place.');
        void replace(number);
      }
    });
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        stopping = true;
        stop();
      });
    }
    for (let number = 1; number <= count; number += 1) start(number);
  });
}

async function answer(worker: Worker, question: number, metrics: WorkerMetrics): Promise<void> {
  const text = await metrics.exposition().catch(() => undefined);
  // Without an answer the worker fails its scrape; a fault in a metric must not end a worker.
  if (text !== undefined) send(worker, { answerTo: question, metrics: text });
}

/** Sends a message, unless the worker has ended. */
function send(worker: Worker, message: SupervisorMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
