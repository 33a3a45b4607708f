import { bulkhead, type BulkheadPolicy } from 'cockatiel';

/** Cockatiel can turn away one whose turn has come, when others fill its line meanwhile; so the bound of the line is ours. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

/** Places for work, and a line of bounded length before them. */
export class Places {
  readonly atOnce: number;
  readonly #line: number;
  readonly #bulkhead: BulkheadPolicy;

  constructor(atOnce: number, line: number) {
    this.atOnce = atOnce;
    this.#line = line;
    this.#bulkhead = bulkhead(atOnce, ENDLESS);
  }

  /** Whether nobody works here. */
  get isEmpty(): boolean {
    return this.#bulkhead.executionSlots === this.atOnce;
  }

  /** Whether there is no place, and none in the line. */
  get isFull(): boolean {
    const { executionSlots, queueSlots } = this.#bulkhead;
    return executionSlots <= 0 && ENDLESS - queueSlots >= this.#line;
  }

  /** Runs work when a place is free. Whoever asks while `isFull` stands in line all the same. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#bulkhead.execute(work);
  }
}
