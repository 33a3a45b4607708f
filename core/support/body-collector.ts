import type { Blocks } from './blocks.ts';

const SMALL_BYTES = 4_096;

/**
 * Gathers the body of a message. A list of chunks as they come would cost a hundred times the body when a hostile peer
 * sends it byte by byte, so they are copied into blocks: first a small one, then shared ones. The first chunk, usually
 * all there is, is kept as it came.
 */
export class BodyCollector {
  readonly #maxBytes: number;
  readonly #shared: Blocks;
  #first: Buffer | undefined;
  /** The small one, then shared ones, all full but the last. */
  #blocks: Buffer[] = [];
  /** Bytes taken of the last block. */
  #used = 0;
  #length = 0;

  constructor(maxBytes: number, shared: Blocks) {
    this.#maxBytes = maxBytes;
    this.#shared = shared;
  }

  /** Bytes gathered so far. */
  get length(): number {
    return this.#length;
  }

  /** Answers false, and keeps nothing of it, when the body would grow past its bound. */
  add(chunk: Buffer): boolean {
    if (this.#length + chunk.length > this.#maxBytes) return false;
    if (this.#first === undefined) this.#first = chunk;
    else this.#copy(chunk);
    this.#length += chunk.length;
    return true;
  }

  /** All of it, in memory that is not shared. */
  body(): Buffer {
    if (this.#first?.length === this.#length) return this.#first;
    return Buffer.concat([this.#first ?? Buffer.alloc(0), ...this.#blocks], this.#length);
  }

  /** Gives back what is shared; nothing may be added or read any more. */
  release(): void {
    if (this.#blocks.length > 1) this.#shared.giveBack(this.#blocks.slice(1));
    this.#blocks = [];
  }

  #copy(chunk: Buffer): void {
    for (let taken = 0; taken < chunk.length;) {
      const block = this.#roomyBlock();
      const copied = chunk.copy(block, this.#used, taken);
      taken += copied;
      this.#used += copied;
    }
  }

  #roomyBlock(): Buffer {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used < last.length) return last;
    const next = last === undefined ? Buffer.allocUnsafe(SMALL_BYTES) : this.#shared.take();
    this.#blocks.push(next);
    this.#used = 0;
    return next;
  }
}
