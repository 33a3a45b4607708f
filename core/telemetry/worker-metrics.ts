import { AggregatorRegistry, Gauge } from 'prom-client';
import { withDeadline } from '../support/deadline.ts';
import type { MetricsSnapshot } from './metrics-snapshot.ts';

/** How long a worker may take to answer; a scrape of Prometheus waits for 10 s by default. */
const ANSWER_MS = 1_000;

type Answer = MetricsSnapshot | undefined;

interface KnownWorker {
  /** Requests the metrics of the worker. */
  readonly ask: (collection: number) => void;
  /** By collection: passes the answer on, or that there will be none. */
  readonly pending: Map<number, (answer: Answer) => void>;
}

/** Puts the metrics of several worker processes together, each with the number of its worker in the label `worker`. */
export class WorkerMetrics {
  readonly #count: number;
  readonly #workers = new Map<number, KnownWorker>();
  #collections = 0;

  /** `count`: the expected number of workers. */
  constructor(count: number) {
    this.#count = count;
  }

  /** Registers the worker with this number, from 1 to the count, as serving. */
  started(worker: number, ask: (collection: number) => void): void {
    this.#workers.set(worker, { ask, pending: new Map() });
  }

  answered(worker: number, collection: number, snapshot: MetricsSnapshot): void {
    this.#workers.get(worker)?.pending.get(collection)?.(snapshot);
  }

  ended(worker: number): void {
    this.#workers.get(worker)?.pending.forEach((settle) => settle(undefined));
    this.#workers.delete(worker);
  }

  /** The metrics in the text format of Prometheus, without those of a worker that does not answer in time. */
  async exposition(): Promise<string> {
    const collection = ++this.#collections;
    const answers = await Promise.all(
      [...this.#workers].map(async ([worker, known]) => {
        const snapshot = await answerOf(known, collection);
        return snapshot && labelled(snapshot, worker);
      }),
    );
    const snapshots = answers.filter((answer) => answer !== undefined);
    const registry = AggregatorRegistry.aggregate(snapshots);
    const registers = [registry];
    new Gauge({ name: 'vitrine_workers', help: 'Configured number of worker processes.', registers }).set(
      this.#count,
    );
    new Gauge({
      name: 'vitrine_workers_missing',
      help: 'Worker processes that did not report their metrics: they hang or are still starting.',
      registers,
    }).set(this.#count - snapshots.length);
    return registry.metrics();
  }
}

/** The same metrics with the label `worker`. */
function labelled(metrics: MetricsSnapshot, worker: number): MetricsSnapshot {
  return metrics.map((metric) => ({
    ...metric,
    // The label makes all values distinct, so `sum` never adds any; other aggregators of prom-client would omit some.
    aggregator: 'sum',
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker: String(worker) } })),
  }));
}

/** The metrics of a worker, or `undefined` when it does not answer in time or ends. */
async function answerOf({ ask, pending }: KnownWorker, collection: number): Promise<Answer> {
  const answer = new Promise<Answer>((resolve) => pending.set(collection, resolve));
  ask(collection);
  try {
    return await withDeadline(ANSWER_MS, answer, () => undefined);
  } finally {
    pending.delete(collection);
  }
}
