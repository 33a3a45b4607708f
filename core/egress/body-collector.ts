const FIRST_BLOCK_BYTES = 4_096;
const BLOCK_BYTES = 65_536;

/**
 * Gathers the body of an answer in blocks of its own. A list of chunks as they come would cost a hundred times the
 * body when a hostile server sends it byte by byte; the first chunk, usually all there is, is kept as it came.
 */
export class BodyCollector {
  #first: Buffer | undefined;
  readonly #blocks: Buffer[] = [];
  #length = 0;
  /** Bytes of the last block that are taken. */
  #used = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes gathered so far. */
  get length(): number {
    return this.#length;
  }

  /** Answers false, and keeps nothing of it, when the body would grow past its bound. */
  add(chunk: Buffer): boolean {
    if (this.#length + chunk.length > this.#maxBytes) return false;
    if (this.#first === undefined) this.#first = chunk;
    else this.#append(chunk);
    this.#length += chunk.length;
    return true;
  }

  body(): Buffer {
    const first = this.#first ?? Buffer.alloc(0);
    return this.#blocks.length === 0 ? first : Buffer.concat([first, ...this.#blocks], this.#length);
  }

  #append(chunk: Buffer): void {
    for (let taken = 0; taken < chunk.length;) {
      const copied = chunk.copy(this.#block(), this.#used, taken);
      taken += copied;
      this.#used += copied;
    }
  }

  /** The block to write into. All but the last are full, which is what lets `Buffer.concat` cut at the length. */
  #block(): Buffer {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length) return last;
    const fresh = Buffer.allocUnsafe(last === undefined ? FIRST_BLOCK_BYTES : BLOCK_BYTES);
    this.#blocks.push(fresh);
    this.#used = 0;
    return fresh;
  }
}
