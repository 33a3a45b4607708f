import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { FiguresOfWorkers } from '../telemetry/figures-of-workers.ts';
import { placeAlone } from '../kernel/worker-place.ts';
import { supervised } from './supervisor.ts';
import type { SupervisorMessage, WorkerMessage } from './worker-messages.ts';

/** A worker that ends so soon after its start would end again: the wait before the next one doubles up to this. */
const LONGEST_PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 250;

/**
 * Runs the service in several processes that share one port, replaces those that die, hands SIGTERM and SIGINT on, and
 * puts their metrics together. Answers the exit code: 0 when every worker stopped cleanly, 1 otherwise, also when the
 * first ones cannot start.
 */
export function superviseWorkers(
  count: number,
  announce: (lines: readonly string[]) => void,
): Promise<number> {
  let stopping = false;
  let served = false;
  let code = 0;
  let pauseMs = FIRST_PAUSE_MS;
  const { lane } = placeAlone();
  const places = new Map<number, number>();
  const figures = new FiguresOfWorkers(count);
  // Figures may be infinite or none, which JSON does not know.
  cluster.setupPrimary({ serialization: 'advanced' });
  return new Promise((resolve) => {
    const start = (place: number): void => {
      const worker = cluster.fork(supervised({ count, lane: lane + place }));
      places.set(worker.id, place);
      worker.on('message', (message: WorkerMessage) => {
        if ('ask' in message) return void answer(worker, message.ask, figures);
        if ('figures' in message) return figures.tells(place, message.collection, message.figures);
        figures.serves(place, (collection) => tell(worker, { collection }));
        if (!served) announce([...message.lines, `${count} worker processes share the port.`]);
        served = true;
        pauseMs = FIRST_PAUSE_MS;
      });
    };
    /** Nobody may be alive: all may wait to be replaced. */
    const stop = (): void => {
      const alive = Object.values(cluster.workers ?? {});
      for (const worker of alive) worker?.process.kill('SIGTERM');
      if (alive.length === 0) resolve(code);
    };
    const replace = async (place: number): Promise<void> => {
      await pause(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      if (!stopping) start(place);
    };
    cluster.on('exit', (worker: Worker, exitCode: number | null) => {
      const place = places.get(worker.id)!;
      figures.ended(place);
      if (stopping || !served) {
        code ||= exitCode === 0 ? 0 : 1;
        stopping ||= code !== 0;
        stop();
      } else void replace(place);
    });
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        stopping = true;
        stop();
      });
    }
    for (let place = 1; place <= count; place += 1) start(place);
  });
}

async function answer(worker: Worker, question: number, figures: FiguresOfWorkers): Promise<void> {
  const metrics = await figures.exposition().catch(() => undefined);
  // Whoever gets no answer says so; the workers must not end because of a metric.
  if (metrics !== undefined) tell(worker, { answerTo: question, metrics });
}

/** A worker that is gone needs no answer. */
function tell(worker: Worker, message: SupervisorMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
