import { LRUCache } from 'lru-cache';

const MAX_SCHEMAS = 2_000;
/** Checks in a row that exceed their deadline before the schema is paused. */
const MAX_MISSES = 3;
/** Milliseconds for which a schema is paused; one more check beyond its deadline then pauses it again. */
const PAUSE_MS = 60_000;

interface Entry {
  /** Checks in a row that exceeded their deadline. */
  readonly misses: number;
  /** Milliseconds since 1970; 0 before the first pause. */
  readonly pausedUntil: number;
}

/** Whether checks against schemas met their deadlines, by the key of the schema. After several misses it is paused. */
export class DeadlineHistory {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_SCHEMAS });
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether the last check against a schema met its deadline; false before the first one. */
  isProven(key: string): boolean {
    return this.#entries.get(key)?.misses === 0;
  }

  /** When the pause of a schema ends, in milliseconds since 1970; `undefined` while it is not paused. */
  pauseOf(key: string): number | undefined {
    const { pausedUntil = 0 } = this.#entries.get(key) ?? {};
    return pausedUntil > this.#now() ? pausedUntil : undefined;
  }

  met(key: string): void {
    this.#entries.set(key, { misses: 0, pausedUntil: 0 });
  }

  missed(key: string): void {
    const misses = (this.#entries.get(key)?.misses ?? 0) + 1;
    this.#entries.set(key, { misses, pausedUntil: misses < MAX_MISSES ? 0 : this.#now() + PAUSE_MS });
  }
}
