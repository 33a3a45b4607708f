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
  /** Asks the worker for its metrics. */
  readonly ask: (collection: number) => void;
  /** The last collection that it answered, and its answer. */
  collection: number;
  snapshot: MetricsSnapshot | undefined;
}

/**
 * Makes one exposition of the metrics of several worker processes: counts add up, gauges as they declare, and a label
 * tells the metrics of each process apart. A sum must never fall, because Prometheus would count all of it as new events:
 * the counts of a worker that hangs or has ended stay in it.
 */
export class WorkerMetrics {
  readonly #count: number;
  readonly #workers = new Map<number, KnownWorker>();
  readonly #checks = new Set<() => void>();
  #ended: readonly MetricValues[] = [];
  #collections = 0;

  /** `count`: workers that there should be. */
  constructor(count: number) {
    this.#count = count;
  }

  /** The worker with this number, from 1 to the count, serves and can be asked. */
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

  /** The text that Prometheus reads. Of a worker that does not answer in time it has the counts alone. */
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

  /** Resolves when every worker answered, or when it is too late for more. */
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
