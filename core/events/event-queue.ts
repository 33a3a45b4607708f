/** How many events a listener handles before it yields to other work. */
const BATCH = 100;

/** Called for events that a listener did not handle. */
export interface Losses {
  failed(error: unknown): void;
  /** An event was dropped because the queue was full. */
  dropped(): void;
}

/** Queues at most `capacity` payloads for one listener and passes them on asynchronously, in order, one at a time. */
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

  /** Resolves when the queue is empty and the listener is not running. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Stops calling the listener and drops queued events. */
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
