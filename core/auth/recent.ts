/**
 * Remembers what was used lately, in bounded memory: two generations, of which the older is dropped when the
 * younger is full. An entry that is used moves to the younger one. Reading costs one look-up in the usual case.
 */
export class Recent<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  readonly #generation: number;

  /** Holds between half and all of `capacity` entries once full. */
  constructor(capacity: number) {
    this.#generation = Math.max(1, Math.ceil(capacity / 2));
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older === undefined) return undefined;
    this.#old.delete(key);
    this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#generation) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
