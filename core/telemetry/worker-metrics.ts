import { Gauge } from 'prom-client';
import {
  aggregated,
  aggregatedValues,
  isCount,
  labelled,
  type MetricsSnapshot,
  type MetricValues,
} from './metrics-snapshot.ts';

/** How long a worker may take to answer; a scrape of Prometheus waits for 10 s by default. */
const ANSWER_MS = 1_000;

interface KnownWorker {
  /** Requests the metrics of the worker. */
  readonly ask: (collection: number) => void;
  /** The last collection that the worker answered. */
  collection: number;
  snapshot: MetricsSnapshot | undefined;
}

/**
 * Aggregates the metrics of several worker processes: counts are summed, gauges aggregated as declared, and a label
 * distinguishes the process metrics. A sum must never decrease, because Prometheus would count all of it as new events, so
 * the counts of a worker that hangs or has ended remain in it.
 */
export class WorkerMetrics {
  readonly #count: number;
  readonly #workers = new Map<number, KnownWorker>();
  readonly #checks = new Set<() => void>();
  #ended: readonly MetricValues[] = [];
  #collections = 0;

  /** `count`: the expected number of workers. */
  constructor(count: number) {
    this.#count = count;
  }

  /** Registers the worker with this number, from 1 to the count, as serving. */
  started(worker: number, ask: (collection: number) => void): void {
    this.#workers.set(worker, { ask, collection: 0, snapshot: undefined });
  }

  answered(worker: number, collection: number, snapshot: MetricsSnapshot): void {
    const known = this.#workers.get(worker);
    if (!known) return;
    Object.assign(known, { collection, snapshot });
    for (const check of this.#checks) check();
  }

  ended(worker: number): void {
    const counts = this.#workers.get(worker)?.snapshot?.declared.filter(isCount);
    if (counts) this.#ended = aggregatedValues([this.#ended, counts]);
    this.#workers.delete(worker);
    for (const check of this.#checks) check();
  }

  /** The metrics in the text format of Prometheus. Of a worker that does not answer in time it has only the counts. */
  async exposition(): Promise<string> {
    const collection = ++this.#collections;
    await this.#collected(collection);
    const lists = [this.#ended];
    let answers = 0;
    for (const [worker, known] of this.#workers) {
      const { process = [], declared = [] } = known.snapshot ?? {};
      const isFresh = known.collection >= collection;
      if (isFresh) {
        answers += 1;
        lists.push(process.map((metric) => labelled(metric, { worker: String(worker) })));
      }
      lists.push(isFresh ? declared : declared.filter(isCount));
    }
    const registry = aggregated(lists);
    const registers = [registry];
    new Gauge({ name: 'vitrine_workers', help: 'Worker processes that there should be.', registers }).set(
      this.#count,
    );
    new Gauge({
      name: 'vitrine_workers_missing',
      help: 'Worker processes that did not tell their figures: they hang, or are being started.',
      registers,
    }).set(this.#count - answers);
    return registry.metrics();
  }

  /** Resolves when every worker has answered, or after the deadline. */
  #collected(collection: number): Promise<void> {
    for (const { ask } of this.#workers.values()) ask(collection);
    return new Promise((resolve) => {
      const check = (): void => {
        if ([...this.#workers.values()].every((known) => known.collection >= collection)) done();
      };
      const done = (): void => {
        clearTimeout(timer);
        this.#checks.delete(check);
        resolve();
      };
      const timer = setTimeout(done, ANSWER_MS);
      this.#checks.add(check);
      check();
    });
  }
}
