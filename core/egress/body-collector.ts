const FIRST_BLOCK_BYTES = 4_096;
const BLOCK_BYTES = 65_536;

/**
 * Gathers the body of an answer. A list of chunks as they come would cost a hundred times the body when a hostile
 * server sends it byte by byte, so small chunks are copied into blocks; the first chunk, usually all there is, and
 * large ones are kept as they came.
 */
export class BodyCollector {
  readonly #parts: Buffer[] = [];
  readonly #maxBytes: number;
  #length = 0;
  /** Where small chunks go, and how many of its bytes are taken. */
  #block: Buffer | undefined;
  #used = 0;

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
    if (this.#length === 0 || chunk.length >= BLOCK_BYTES / 2) this.#keep(chunk);
    else this.#copy(chunk);
    this.#length += chunk.length;
    return true;
  }

  body(): Buffer {
    this.#endBlock();
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#length);
  }

  #keep(chunk: Buffer): void {
    this.#endBlock();
    this.#parts.push(chunk);
  }

  #copy(chunk: Buffer): void {
    for (let taken = 0; taken < chunk.length;) {
      if (this.#used === this.#block?.length) this.#endBlock();
      this.#block ??= Buffer.allocUnsafe(this.#parts.length > 1 ? BLOCK_BYTES : FIRST_BLOCK_BYTES);
      const copied = chunk.copy(this.#block, this.#used, taken);
      taken += copied;
      this.#used += copied;
    }
  }

  #endBlock(): void {
    if (this.#block) this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}
