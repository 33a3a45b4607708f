import { Gauge } from 'prom-client';
import { labelled, merged, type MetricsSnapshot } from './metrics-snapshot.ts';

/** How long a worker may take to answer; a scrape of Prometheus waits for 10 s by default. */
const ANSWER_MS = 1_000;

interface KnownWorker {
  /** Requests the metrics of the worker. */
  readonly ask: (collection: number) => void;
  /** The last collection that the worker answered, and its answer. */
  collection: number;
  snapshot: MetricsSnapshot;
}

/** Puts the metrics of several worker processes together, each with the number of its worker in the label `worker`. */
export class WorkerMetrics {
  readonly #count: number;
  readonly #workers = new Map<number, KnownWorker>();
  readonly #checks = new Set<() => void>();
  #collections = 0;

  /** `count`: the expected number of workers. */
  constructor(count: number) {
    this.#count = count;
  }

  /** Registers the worker with this number, from 1 to the count, as serving. */
  started(worker: number, ask: (collection: number) => void): void {
    this.#workers.set(worker, { ask, collection: 0, snapshot: [] });
  }

  answered(worker: number, collection: number, snapshot: MetricsSnapshot): void {
    const known = this.#workers.get(worker);
    if (!known) return;
    Object.assign(known, { collection, snapshot });
    for (const check of this.#checks) check();
  }

  ended(worker: number): void {
    this.#workers.delete(worker);
    for (const check of this.#checks) check();
  }

  /** The metrics in the text format of Prometheus, without those of a worker that does not answer in time. */
  async exposition(): Promise<string> {
    const collection = ++this.#collections;
    await this.#collected(collection);
    const answers = [...this.#workers].filter(([, known]) => known.collection >= collection);
    const registry = merged(
      answers.map(([worker, { snapshot }]) => labelled(snapshot, { worker: String(worker) })),
    );
    const registers = [registry];
    new Gauge({ name: 'vitrine_workers', help: 'Worker processes that there should be.', registers }).set(
      this.#count,
    );
    new Gauge({
      name: 'vitrine_workers_missing',
      help: 'Worker processes that did not tell their figures: they hang, or are being started.',
      registers,
    }).set(this.#count - answers.length);
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
