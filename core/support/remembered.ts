interface Entry<T> {
  readonly group: string;
  readonly value: T;
  readonly weight: number;
  /** Asked for since it was kept, or since it was last passed over. */
  isUsed: boolean;
}

/** How much a `Remembered` keeps. */
export interface RememberedOptions<T> {
  /** How much is kept: entries, or the sum of their weights. The oldest goes first that was not asked for since. */
  readonly limit: number;
  /** The weight of a value; 1 by default. */
  readonly weigh?: (value: T) => number;
}

/**
 * What was read from the database, kept until its group is forgotten. Bounded, and exact: a value that was read
 * before a change is never kept after it. Forget groups from a subscription to `Signals`.
 */
export class Remembered<T> {
  readonly #limit: number;
  readonly #weigh: (value: T) => number;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #groups = new Map<string, Set<string>>();
  #loading = new Map<string, Promise<T>>();
  #weight = 0;

  constructor(options: RememberedOptions<T>) {
    this.#limit = options.limit;
    this.#weigh = options.weigh ?? (() => 1);
  }

  /**
   * The remembered value at once, otherwise a promise of what `read` answers; concurrent readers share one read. It is
   * told the key, so that one function serves every key and none is made for each look.
   */
  get(key: string, group: string, read: (key: string) => Promise<T>): T | Promise<T> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return this.#loading.get(key) ?? this.#load(key, group, read);
    entry.isUsed = true;
    return entry.value;
  }

  /** Forgets a group, or everything; reads that are under way are not kept. */
  forget(group?: string): void {
    this.#loading = new Map();
    if (group === undefined) {
      this.#entries.clear();
      this.#groups.clear();
      this.#weight = 0;
    } else {
      for (const key of this.#groups.get(group) ?? []) this.#drop(key);
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  async #load(key: string, group: string, read: (key: string) => Promise<T>): Promise<T> {
    const loading = this.#loading;
    const reading = read(key);
    loading.set(key, reading);
    try {
      const value = await reading;
      if (loading === this.#loading) this.#keep(key, group, value);
      return value;
    } finally {
      loading.delete(key);
    }
  }

  #keep(key: string, group: string, value: T): void {
    const weight = this.#weigh(value);
    if (weight > this.#limit) return;
    this.#entries.set(key, { group, value, weight, isUsed: false });
    this.#weight += weight;
    const keys = this.#groups.get(group);
    if (keys) keys.add(key);
    else this.#groups.set(group, new Set([key]));
    this.#makeRoom();
  }

  /** Gives what was used a second chance behind all others: as good as the order of use, and a hit moves nothing. */
  #makeRoom(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#weight <= this.#limit) return;
      if (entry.isUsed) {
        entry.isUsed = false;
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      } else this.#drop(key);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
    const keys = this.#groups.get(entry.group);
    keys?.delete(key);
    if (keys?.size === 0) this.#groups.delete(entry.group);
  }
}
