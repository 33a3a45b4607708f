/** How many events a listener handles before others get a turn. */
const BATCH = 100;

/** Told of events that a listener did not handle. */
export interface Losses {
  failed(error: unknown): void;
  /** One event found `capacity` others waiting. */
  dropped(): void;
}

/** Hands payloads to one listener: later, in order, one at a time, and never more than `capacity` waiting. */
export class EventQueue {
  readonly #waiting: unknown[] = [];
  readonly #handle: (payload: unknown) => void | Promise<void>;
  readonly #losses: Losses;
  readonly #capacity: number;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(handle: (payload: unknown) => void | Promise<void>, losses: Losses, capacity: number) {
    this.#handle = handle;
    this.#losses = losses;
    this.#capacity = capacity;
  }

  add(payload: unknown): void {
    if (this.#isClosed) return;
    if (this.#waiting.length >= this.#capacity) return this.#losses.dropped();
    this.#waiting.push(payload);
    this.#running ??= this.#drain();
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when nothing waits and nothing runs. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** The listener hears nothing more, also not of what waits. */
  close(): void {
    this.#isClosed = true;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      for (const payload of this.#waiting.splice(0, BATCH)) await this.#deliver(payload);
    }
    this.#running = undefined;
  }

  async #deliver(payload: unknown): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#handle(payload);
    } catch (error) {
      this.#losses.failed(error);
    }
  }
}
