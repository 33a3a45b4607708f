/** On the wall clock a deadline takes at most this many times as long, however busy the machine is. */
const MAX_STRETCH = 5;

/**
 * Calls back when a worker has had its milliseconds to work. On a busy machine a thread may hardly run at all and its
 * schema is not to blame, so the deadline counts the processor time of this process, up to five times the wait.
 */
export class WorkDeadline {
  readonly #onLate: () => void;
  #timer: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;

  constructor(milliseconds: number, onLate: () => void) {
    this.#onLate = onLate;
    this.restart(milliseconds);
  }

  /** Begins anew, with another time. */
  restart(milliseconds: number): void {
    this.cancel();
    const before = process.cpuUsage();
    let waited = 0;
    const wait = (forMs: number): void => {
      waited += forMs;
      // Timers come before the messages of threads: an answer that came in time is read first.
      this.#timer = setTimeout(() => (this.#turn = setImmediate(judge)), forMs);
    };
    const judge = (): void => {
      const { user, system } = process.cpuUsage(before);
      const missing = milliseconds - (user + system) / 1000;
      if (missing < 1 || waited >= milliseconds * MAX_STRETCH) this.#onLate();
      else wait(Math.min(missing, milliseconds));
    };
    wait(milliseconds);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#turn);
  }
}
