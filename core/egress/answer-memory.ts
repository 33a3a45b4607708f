import { ReadGarbage } from '../support/collect-young.ts';
import { Blocks } from '../support/blocks.ts';
import { AnswersHeld, FREE_BYTES } from './answers-held.ts';

/** An answer that is being gathered. */
export interface Gathering {
  /** What it is an answer of, as the address of an endpoint. */
  readonly source: string;
  pause(): void;
  resume(): void;
  /** Ends it as a failure: it stands still while others wait for the memory that it holds. */
  giveUp(): void;
}

const LOOK_EVERY_MS = 250;
/** Who brings less from one look to the next stands still: 8 MiB would take two minutes. */
const LEAST_BYTES = 16_384;
const PATIENT_LOOKS = 4;
/** Whoever has had the turn for more looks stands still unless it brought so much at each on average: a megabyte a second. */
const LOOKS_AT_WILL = 20;
const FAIR_BYTES = 262_144;

export interface AnswerMemoryOptions {
  readonly blocks?: Blocks;
  readonly held?: AnswersHeld;
  readonly lookEveryMs?: number;
}

/**
 * Memory that large answers share while they arrive, so that many at once cannot fill the process. When it is used
 * up, those that want more wait, except one whose turn it is: it may go up to its own limit, so some answer always
 * comes to its end. The turn is that of the oldest; when it stands still or is slow, the next gets it, one of another
 * source if there is any, beside what the former holds. When that one stands still as well and others wait, the one that has done so for a second is
 * given up, but never for one of its own source. So no more than two ever go beyond. Deadlines go on while an answer waits.
 *
 * Answers that came and are held still, as while they wait for their records, have memory of their own. When that is full
 * nobody is given the turn, and all wait but the one that has it.
 */
export class AnswerMemory {
  /** What answers are gathered in. */
  readonly blocks: Blocks;
  /** Those that came. */
  readonly held: AnswersHeld;
  readonly #bytes: number;
  readonly #lookEveryMs: number;
  /** What each holds, in the order in which they began. */
  readonly #shares = new Map<Gathering, number>();
  #used = 0;
  readonly #garbage = new ReadGarbage();
  /** Paused, in the order in which they were. */
  readonly #line = new Set<Gathering>();
  /** Whose turn it is, what it held at the last look, and at how many looks it has stood still. */
  #ahead: Gathering | undefined;
  #aheadHeld = 0;
  #looksStill = 0;
  /** How many looks it has had the turn for, and what it held before. */
  #looksAhead = 0;
  #heldBefore = 0;
  /** Whose turn it was when it stood still, and how many looks ago. */
  #behind: Gathering | undefined;
  #looksBehind = 0;
  #looking: NodeJS.Timeout | undefined;

  /** Shares so many bytes. Of answers that came, any number may be held unless it is said how many. */
  constructor(bytes: number, { blocks, held, lookEveryMs }: AnswerMemoryOptions = {}) {
    this.#bytes = bytes;
    this.blocks = blocks ?? new Blocks();
    this.held = held ?? new AnswersHeld(Infinity);
    this.held.onLetGo = () => this.#goOn();
    this.#lookEveryMs = lookEveryMs ?? LOOK_EVERY_MS;
  }

  /** Tells how much an answer holds by now; pauses it when there is no more to share. */
  hold(answer: Gathering, bytes: number): void {
    if (bytes <= FREE_BYTES) return;
    const more = bytes - (this.#shares.get(answer) ?? 0);
    this.#shares.set(answer, bytes);
    this.#used += more;
    this.#garbage.add(more);
    if (this.#used <= this.#room) return;
    if (this.#ahead === undefined && !this.held.isFull) this.#giveTurn(this.#oldest() ?? answer);
    if (this.#ahead === answer) return;
    this.#line.add(answer);
    answer.pause();
    this.#looking ??= setInterval(() => this.#look(), this.#lookEveryMs).unref();
  }

  /** Gives back what an answer held, and lets others go on. */
  release(answer: Gathering): void {
    const bytes = this.#shares.get(answer);
    if (bytes === undefined) return;
    this.#shares.delete(answer);
    this.#used -= bytes;
    this.#line.delete(answer);
    if (this.#behind === answer) this.#behind = undefined;
    if (this.#ahead === answer) this.#ahead = undefined;
    this.#goOn();
  }

  get #room(): number {
    return Math.min(this.#bytes, this.held.room);
  }

  #goOn(): void {
    if (this.#used <= this.#room) this.#resumeAll();
    else if (this.#ahead === undefined && !this.held.isFull) this.#giveTurn(this.#next());
  }

  #oldest(): Gathering | undefined {
    for (const answer of this.#shares.keys()) if (answer !== this.#behind) return answer;
    return undefined;
  }

  /** Who waits longest, of sources of which none stands still; of all when there is no such. */
  #next(): Gathering | undefined {
    for (const answer of this.#line) if (answer === this.#behind || !this.#isStuck(answer)) return answer;
    return this.#line.values().next().value;
  }

  #isStuck({ source }: Gathering): boolean {
    return source === this.#ahead?.source || source === this.#behind?.source;
  }

  #giveTurn(answer: Gathering | undefined): void {
    this.#ahead = answer;
    this.#aheadHeld = -Infinity;
    this.#looksStill = 0;
    this.#looksAhead = 0;
    if (answer === undefined) return;
    this.#heldBefore = this.#shares.get(answer)!;
    if (this.#behind === answer) this.#behind = undefined;
    if (this.#line.delete(answer)) answer.resume();
  }

  #resumeAll(): void {
    this.#ahead = undefined;
    const waiting = [...this.#line];
    this.#line.clear();
    for (const answer of waiting) answer.resume();
  }

  #look(): void {
    if (this.#line.size === 0) return this.#stopLooking();
    // They wait for those that came, and nobody is at fault.
    if (this.#ahead === undefined || this.held.isFull) return;
    this.#looksBehind += 1;
    const held = this.#shares.get(this.#ahead)!;
    const came = held - this.#aheadHeld;
    this.#aheadHeld = held;
    this.#looksAhead += 1;
    this.#looksStill = came < LEAST_BYTES || this.#isSlow(held) ? this.#looksStill + 1 : 0;
    if (this.#looksStill > 0) this.#passOver(this.#ahead, this.#next()!);
  }

  /** Bytes now and then would keep the turn until its deadline. */
  #isSlow(held: number): boolean {
    return this.#looksAhead > LOOKS_AT_WILL && held - this.#heldBefore < this.#looksAhead * FAIR_BYTES;
  }

  #passOver(still: Gathering, next: Gathering): void {
    const behind = this.#behind;
    if (behind !== undefined && behind !== next) {
      if (this.#isStuck(next)) return;
      // In the line it moves again, and waits for us.
      const hasMoved = this.#line.has(behind);
      if ((hasMoved ? this.#looksStill : this.#looksBehind) < PATIENT_LOOKS) return;
      if (hasMoved) return still.giveUp();
      behind.giveUp();
      if (!this.#line.has(next)) return;
    }
    this.#behind = still;
    this.#looksBehind = 0;
    this.#giveTurn(next);
  }

  #stopLooking(): void {
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}
