/** The longest wait, as a multiple of the processor time, on a busy machine. */
const MAX_STRETCH = 5;

/** The processor time of the process, in microseconds. */
type CpuUsage = (since?: NodeJS.CpuUsage) => NodeJS.CpuUsage;

/**
 * Calls back when a worker has used its time. A thread may hardly run on a busy machine, so the deadline counts the
 * processor time of this process, and waits for at most five times as long.
 */
export class WorkDeadline {
  readonly #onLate: () => void;
  readonly #cpuUsage: CpuUsage;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;

  constructor(
    milliseconds: number,
    onLate: () => void,
    cpuUsage: CpuUsage = (since) => process.cpuUsage(since),
  ) {
    this.#onLate = onLate;
    this.#cpuUsage = cpuUsage;
    this.restart(milliseconds);
  }

  /** Restarts the deadline with another time. */
  restart(milliseconds: number): void {
    this.cancel();
    const before = this.#cpuUsage();
    let waited = 0;
    const wait = (forMs: number): void => {
      waited += forMs;
      // Timers run before messages of threads, so the callback waits for answers that came in time.
      this.#timer = setTimeout(() => (this.#immediate = setImmediate(judge)), forMs);
    };
    const judge = (): void => {
      const { user, system } = this.#cpuUsage(before);
      const missing = milliseconds - (user + system) / 1000;
      if (missing < 1 || waited >= milliseconds * MAX_STRETCH) this.#onLate();
      else wait(Math.min(missing, milliseconds));
    };
    wait(milliseconds);
  }

  cancel(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }
}
