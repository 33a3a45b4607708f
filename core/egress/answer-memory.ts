/** An answer that is being gathered. */
export interface Gathering {
  pause(): void;
  resume(): void;
}

/** Below this an answer is nobody's concern. */
const FREE_BYTES = 65_536;
const SHARED_BYTES = 8 * 1024 * 1024;

interface Share {
  bytes: number;
  isPaused: boolean;
}

/**
 * Memory that large answers share while they arrive, so that many at once cannot fill the process. When it is used
 * up, those that want more wait, except the one that began first: it may go up to its own limit, so some answer
 * always comes to its end. Deadlines go on while an answer waits.
 */
export class AnswerMemory {
  readonly #shares = new Map<Gathering, Share>();
  #used = 0;

  /** Tells how much an answer holds by now; pauses it when there is no more to share. */
  hold(answer: Gathering, bytes: number): void {
    if (bytes <= FREE_BYTES) return;
    const share = this.#shareOf(answer);
    this.#used += bytes - share.bytes;
    share.bytes = bytes;
    if (this.#used <= SHARED_BYTES || this.#first() === answer) return;
    share.isPaused = true;
    answer.pause();
  }

  /** Gives back what an answer held, and lets others go on. */
  release(answer: Gathering): void {
    const share = this.#shares.get(answer);
    if (share === undefined) return;
    this.#shares.delete(answer);
    this.#used -= share.bytes;
    for (const [waiting, { isPaused }] of this.#shares) {
      if (isPaused && (this.#used <= SHARED_BYTES || this.#first() === waiting)) this.#resume(waiting);
    }
  }

  #shareOf(answer: Gathering): Share {
    const known = this.#shares.get(answer);
    if (known !== undefined) return known;
    const share = { bytes: 0, isPaused: false };
    this.#shares.set(answer, share);
    return share;
  }

  #first(): Gathering | undefined {
    return this.#shares.keys().next().value;
  }

  #resume(answer: Gathering): void {
    this.#shares.get(answer)!.isPaused = false;
    answer.resume();
  }
}
