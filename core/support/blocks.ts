const BLOCK_BYTES = 65_536;
/** 8 MiB: as much as the longest body. */
const MOST_SPARE = 128;

/**
 * Blocks of memory in which bodies are gathered, used again and again. What a large body leaves behind has grown old
 * while it came: a full collection alone finds it, and V8 begins none before it has become 64 MiB.
 */
export class Blocks {
  readonly #spare: Buffer[] = [];

  take(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  }

  /** Takes blocks back that nobody reads or fills any more. */
  giveBack(blocks: readonly Buffer[]): void {
    this.#spare.push(...blocks.slice(0, MOST_SPARE - this.#spare.length));
  }
}
