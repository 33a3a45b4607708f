/**
 * A map that makes what is missing and forgets the oldest that may be forgotten when it is full. Where none may be, it
 * grows beyond its bound.
 */
export class BoundedMap<V> {
  readonly #entries = new Map<string, V>();
  readonly #most: number;
  readonly #mayForget: (value: V) => boolean;

  constructor(most: number, mayForget: (value: V) => boolean) {
    this.#most = most;
    this.#mayForget = mayForget;
  }

  find(key: string): V | undefined {
    return this.#entries.get(key);
  }

  getOrMake(key: string, make: () => V): V {
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    const made = make();
    this.set(key, made);
    return made;
  }

  set(key: string, value: V): void {
    if (!this.#entries.has(key) && this.#entries.size >= this.#most) this.#forgetOne();
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  #forgetOne(): void {
    for (const [key, value] of this.#entries) {
      if (!this.#mayForget(value)) continue;
      this.#entries.delete(key);
      return;
    }
  }
}
