/** Answers up to this many bytes arrive without a reservation. */
export const SMALL_ANSWER_BYTES = 65_536;

interface Waiting {
  readonly source: string;
  readonly bytes: number;
  readonly grant: () => void;
}

/**
 * A semaphore for the memory of large answers while they arrive. An answer reserves all that it may need before it grows
 * large, so no answer waits halfway for another. Answers of one source get at most half of the memory, so that an
 * endpoint that stalls does not block the others.
 */
export class LargeAnswers {
  readonly #mostPerSource: number;
  #free: number;
  readonly #reservedBy = new Map<string, number>();
  /** In order of arrival. */
  readonly #queue = new Set<Waiting>();

  /** `bytes`: the memory for all answers together. */
  constructor(bytes: number) {
    this.#free = bytes;
    this.#mostPerSource = bytes / 2;
  }

  /**
   * Reserves memory for an answer of a source, and resolves with a function that releases it. An answer that may need more
   * than half of the memory reserves half. Rejects with the signal's reason when that aborts first.
   */
  reserve(source: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    const share = Math.min(bytes, this.#mostPerSource);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#queue.delete(waiting);
        this.#admit();
        reject(signal.reason as Error);
      };
      const grant = (): void => {
        signal.removeEventListener('abort', onAbort);
        this.#take(source, share);
        resolve(() => {
          this.#take(source, -share);
          this.#admit();
        });
      };
      const waiting: Waiting = { source, bytes: share, grant };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.add(waiting);
      this.#admit();
    });
  }

  /** Grants in order, but skips answers whose source has reached its limit. */
  #admit(): void {
    for (const waiting of this.#queue) {
      const reserved = this.#reservedBy.get(waiting.source) ?? 0;
      if (reserved + waiting.bytes > this.#mostPerSource) continue;
      if (waiting.bytes > this.#free) return;
      this.#queue.delete(waiting);
      waiting.grant();
    }
  }

  #take(source: string, bytes: number): void {
    this.#free -= bytes;
    const reserved = (this.#reservedBy.get(source) ?? 0) + bytes;
    if (reserved > 0) this.#reservedBy.set(source, reserved);
    else this.#reservedBy.delete(source);
  }
}
