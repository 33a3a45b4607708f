import type { Dispatcher } from 'undici';

/** Connections to one origin: as many as requests are under way. */
export interface Connections {
  readonly dispatch: Dispatcher['dispatch'];
  /** Lets what was begun end. */
  close(): Promise<void>;
  /** Breaks off what was begun. */
  destroy(): Promise<void>;
}

/** A request, as its lane knows it. */
export interface Passing {
  /** The round in which it was begun, `NOT_BEGUN` before; the lane writes it. */
  round: number;
  readonly isOver: boolean;
  begin(connections: Connections): void;
}

export const NOT_BEGUN = -2;

/** More serve no server that answers quickly, and cost this process a tenth of its time. */
const QUICK_AT_ONCE = 64;
const ROUND_MS = 50;

/**
 * The way to one origin. Requests that are answered quickly share a few connections. One that takes longer does not
 * count any more, and nobody waits for more than two rounds: who hangs holds up neither itself nor its neighbours at
 * the same address. How many may be under way is decided where calls are admitted. Rounds pass only while somebody waits.
 */
export class Lane {
  readonly #connections: Connections;
  readonly #roundMs: number;
  #round = 0;
  /** Under way since this round, and since the one before; those of earlier rounds are slow. */
  #begun = 0;
  #begunBefore = 0;
  #waiting: Passing[] = [];
  /** Since before this round. */
  #waitingLonger: Passing[] = [];
  #rounds: NodeJS.Timeout | undefined;
  #isAboutToAdmit = false;

  constructor(connections: Connections, roundMs = ROUND_MS) {
    this.#connections = connections;
    this.#roundMs = roundMs;
  }

  /** Begins a request now or in a moment, unless it is over by then. */
  enter(passing: Passing): void {
    if (!this.#isWaitedFor && this.#hasRoom) return this.#begin(passing);
    this.#waiting.push(passing);
    this.#rounds ??= setInterval(() => this.#nextRound(), this.#roundMs);
  }

  /** A request is over, however it ended. */
  leave({ round }: Passing): void {
    if (round === this.#round) this.#begun -= 1;
    else if (round === this.#round - 1) this.#begunBefore -= 1;
    if (!this.#isWaitedFor || this.#isAboutToAdmit) return;
    this.#isAboutToAdmit = true;
    // Its connection is free when undici is done with it, which is after this turn.
    setImmediate(() => this.#admit());
  }

  /** Lets all that entered end. */
  close(): Promise<void> {
    this.#beginAll();
    return this.#connections.close();
  }

  /** Breaks everything off. */
  destroy(): Promise<void> {
    this.#beginAll();
    return this.#connections.destroy();
  }

  get #hasRoom(): boolean {
    return this.#begun + this.#begunBefore < QUICK_AT_ONCE;
  }

  get #isWaitedFor(): boolean {
    return this.#waiting.length + this.#waitingLonger.length > 0;
  }

  #begin(passing: Passing): void {
    if (passing.isOver) return;
    passing.round = this.#round;
    this.#begun += 1;
    passing.begin(this.#connections);
  }

  #admit(): void {
    this.#isAboutToAdmit = false;
    while (this.#hasRoom && this.#isWaitedFor) {
      this.#begin((this.#waitingLonger.shift() ?? this.#waiting.shift())!);
    }
  }

  #nextRound(): void {
    this.#round += 1;
    this.#begunBefore = this.#begun;
    this.#begun = 0;
    const due = this.#waitingLonger;
    this.#waitingLonger = this.#waiting;
    this.#waiting = [];
    for (const passing of due) this.#begin(passing);
    this.#admit();
    if (!this.#isWaitedFor) this.#endRounds();
  }

  #beginAll(): void {
    this.#endRounds();
    const all = [...this.#waitingLonger, ...this.#waiting];
    this.#waitingLonger = [];
    this.#waiting = [];
    for (const passing of all) this.#begin(passing);
  }

  #endRounds(): void {
    clearInterval(this.#rounds);
    this.#rounds = undefined;
  }
}
