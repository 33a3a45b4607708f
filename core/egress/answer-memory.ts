import { collectYoung } from '../runtime/collect-young.ts';
import { Blocks } from '../runtime/blocks.ts';

/** An answer that is being gathered. */
export interface Gathering {
  pause(): void;
  resume(): void;
}

/** Below this an answer is nobody's concern. */
const FREE_BYTES = 65_536;
const BYTES_OF_GARBAGE = 4 * 1024 * 1024;

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
  /** What answers are gathered in. */
  readonly blocks = new Blocks();
  readonly #bytes: number;
  readonly #shares = new Map<Gathering, Share>();
  #used = 0;
  /** Bytes that came since garbage was collected; each was read into memory that is garbage by now. */
  #came = 0;

  /** Shares so many bytes. */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Tells how much an answer holds by now; pauses it when there is no more to share. */
  hold(answer: Gathering, bytes: number): void {
    if (bytes <= FREE_BYTES) return;
    const share = this.#shareOf(answer);
    const more = bytes - share.bytes;
    share.bytes = bytes;
    this.#used += more;
    this.#came += more;
    if (this.#came > BYTES_OF_GARBAGE) this.#collect();
    if (this.#used <= this.#bytes || this.#first() === answer) return;
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
      if (isPaused && (this.#used <= this.#bytes || this.#first() === waiting)) this.#resume(waiting);
    }
  }

  #collect(): void {
    this.#came = 0;
    collectYoung();
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
