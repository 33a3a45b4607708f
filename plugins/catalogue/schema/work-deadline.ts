import { setDeadline } from '../../../core/index.ts';

/** On the wall clock a deadline takes at most this many times as long, however busy the machine is. */
const MAX_STRETCH = 5;

/**
 * Calls back when a worker has had its milliseconds to work. On a busy machine a thread may hardly run at all and its
 * schema is not to blame, so the deadline counts the processor time of this process, up to five times the wait.
 */
export class WorkDeadline {
  readonly #onLate: () => void;
  #cancel: () => void = () => undefined;

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
      this.#cancel = setDeadline(forMs, judge);
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
    this.#cancel();
  }
}
