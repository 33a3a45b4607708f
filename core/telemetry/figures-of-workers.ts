import { Gauge } from 'prom-client';
import { added, isCount, labelled, together, type Figures, type MetricFigures } from './figures.ts';

/** How long a worker may take; a scrape of Prometheus waits for 10 s by default. */
const ANSWER_MS = 1_000;

interface Known {
  /** Has the worker tell its figures. */
  readonly ask: (collection: number) => void;
  /** The last collection that it answered, and what it said. */
  collection: number;
  figures: Figures | undefined;
}

/**
 * Makes one exposition of the metrics of several worker processes: counts add up, gauges as they declare, and those of
 * the process itself are told apart by a label. A sum must never fall, or Prometheus takes all of it for new events; so
 * what workers had counted when they were last asked stays in it when they hang or are gone.
 */
export class FiguresOfWorkers {
  readonly #count: number;
  readonly #known = new Map<number, Known>();
  readonly #checks = new Set<() => void>();
  #gone: readonly MetricFigures[] = [];
  #collections = 0;

  /** `count`: workers that there should be. */
  constructor(count: number) {
    this.#count = count;
  }

  /** A worker serves in this place, from 1 to the count, and can be asked. */
  serves(place: number, ask: (collection: number) => void): void {
    this.#known.set(place, { ask, collection: 0, figures: undefined });
  }

  tells(place: number, collection: number, figures: Figures): void {
    const known = this.#known.get(place);
    if (!known) return;
    Object.assign(known, { collection, figures });
    for (const check of this.#checks) check();
  }

  ended(place: number): void {
    const counts = this.#known.get(place)?.figures?.declared.filter(isCount);
    if (counts) this.#gone = added([this.#gone, counts]);
    this.#known.delete(place);
    for (const check of this.#checks) check();
  }

  /** As Prometheus reads them. Whoever does not answer in time is left out, but for what it had counted. */
  async exposition(): Promise<string> {
    const collection = ++this.#collections;
    await this.#collected(collection);
    const lists = [this.#gone];
    let answered = 0;
    for (const [place, known] of this.#known) {
      const { process = [], declared = [] } = known.figures ?? {};
      const isFresh = known.collection >= collection;
      if (isFresh) {
        answered += 1;
        lists.push(process.map((metric) => labelled(metric, { worker: String(place) })));
      }
      lists.push(isFresh ? declared : declared.filter(isCount));
    }
    const registry = together(lists);
    const registers = [registry];
    new Gauge({ name: 'vitrine_workers', help: 'Worker processes that there should be.', registers }).set(
      this.#count,
    );
    new Gauge({
      name: 'vitrine_workers_missing',
      help: 'Worker processes that did not tell their figures: they hang, or are being started.',
      registers,
    }).set(this.#count - answered);
    return registry.metrics();
  }

  /** Resolves when every worker answered, or when it is too late for more. */
  #collected(collection: number): Promise<void> {
    for (const { ask } of this.#known.values()) ask(collection);
    return new Promise((resolve) => {
      const check = (): void => {
        if ([...this.#known.values()].every((known) => known.collection >= collection)) done();
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
