/**
 * Gathers the body of an answer in one buffer that grows with what arrives. A list of chunks would cost a hundred
 * times the body when a hostile server sends it byte by byte.
 */
export class BodyCollector {
  private buffer: Buffer | undefined;
  private length = 0;
  /** Whether `buffer` is ours to write into; the first chunk is not. */
  private owned = false;
  private readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Answers false, and keeps nothing, when the body would grow past its bound. */
  add(chunk: Buffer): boolean {
    const needed = this.length + chunk.length;
    if (needed > this.maxBytes) return false;
    if (this.buffer === undefined) {
      this.buffer = chunk;
    } else {
      this.grow(needed);
      chunk.copy(this.buffer, this.length);
    }
    this.length = needed;
    return true;
  }

  body(): Buffer {
    return this.buffer?.subarray(0, this.length) ?? Buffer.alloc(0);
  }

  private grow(needed: number): void {
    if (this.owned && this.buffer!.length >= needed) return;
    const larger = Buffer.allocUnsafe(Math.min(this.maxBytes, Math.max(needed, this.length * 2)));
    this.buffer!.copy(larger, 0, 0, this.length);
    this.buffer = larger;
    this.owned = true;
  }
}
