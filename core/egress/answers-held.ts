import type { AnswerHolder, HeldAnswers } from './egress.ts';

/** Below this an answer is nobody's concern. */
export const FREE_BYTES = 65_536;

/** Counts what large answers take from when they came until whoever asked for them is done with them. */
export class AnswersHeld implements HeldAnswers {
  readonly #most: number;
  readonly #shares = new WeakMap<AnswerHolder, number>();
  #bytes = 0;
  /** Told when somebody let go of something. */
  onLetGo: () => void = () => undefined;

  /** Full with more than so many bytes. */
  constructor(mostBytes: number) {
    this.#most = mostBytes;
  }

  /** Bytes that may come before it is full; negative when it is. */
  get room(): number {
    return this.#most - this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes > this.#most;
  }

  hold(holder: AnswerHolder, bytes: number): void {
    if (bytes <= FREE_BYTES || holder.isOver === true) return this.letGo(holder);
    const more = bytes - (this.#shares.get(holder) ?? 0);
    this.#bytes += more;
    this.#shares.set(holder, bytes);
    if (more < 0) this.onLetGo();
  }

  letGo(holder: AnswerHolder): void {
    const bytes = this.#shares.get(holder);
    if (bytes === undefined) return;
    this.#shares.delete(holder);
    this.#bytes -= bytes;
    this.onLetGo();
  }
}
