import type { Ending } from './ending.ts';

/** Answers up to this many bytes arrive without a reservation. */
export const SMALL_ANSWER_BYTES = 65_536;

/**
 * Bytes of large answers that may arrive at once in one channel: three of the largest size that a call accepts by default.
 * At 1 Gbit/s they arrive within a quarter of a second.
 */
export const LARGE_ANSWER_MEMORY = 25_165_824;

interface Waiting {
  readonly source: string;
  readonly bytes: number;
  readonly grant: () => void;
}

/**
 * A semaphore for the memory of large answers while they arrive, so that concurrent answers cannot exhaust the process.
 * An answer reserves all it may need before it grows large, so no answer waits halfway for another. Answers of one
 * source get at most half of the memory, so an endpoint that stalls while answering does not block the others.
 */
export class LargeAnswers {
  readonly #mostPerSource: number;
  #free: number;
  readonly #reservedBy = new Map<string, number>();
  /** Reservations that wait, in the order of their arrival. */
  readonly #queue = new Set<Waiting>();

  /** Shares this many bytes. */
  constructor(bytes: number) {
    this.#free = bytes;
    this.#mostPerSource = bytes / 2;
  }

  /**
   * Reserves memory for an answer of a source and resolves with the function that releases it. Reserves at most half of
   * the memory. Rejects with the reason when the exchange ends first.
   */
  reserve(source: string, bytes: number, ending: Ending): Promise<() => void> {
    const share = Math.min(bytes, this.#mostPerSource);
    return new Promise((resolve, reject) => {
      if (ending.aborted) return reject(ending.reason!);
      const onAbort = (): void => {
        this.#queue.delete(waiting);
        this.#admit();
        reject(ending.reason!);
      };
      const grant = (): void => {
        ending.off('abort', onAbort);
        this.#take(source, share);
        resolve(() => {
          this.#take(source, -share);
          this.#admit();
        });
      };
      const waiting: Waiting = { source, bytes: share, grant };
      ending.once('abort', onAbort);
      this.#queue.add(waiting);
      this.#admit();
    });
  }

  /** Grants reservations in order. One whose source has its maximum is passed by later ones of other sources. */
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
