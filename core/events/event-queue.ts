/** How many events a listener handles before others get a turn. */
const BATCH = 100;

/** Hands payloads to one listener: later, in order, one at a time, and never more than `capacity` waiting. */
export class EventQueue {
  private readonly waiting: unknown[] = [];
  private readonly handle: (payload: unknown) => void | Promise<void>;
  private readonly failed: (error: unknown) => void;
  private readonly capacity: number;
  private running: Promise<void> | undefined;

  constructor(
    handle: (payload: unknown) => void | Promise<void>,
    failed: (error: unknown) => void,
    capacity: number,
  ) {
    this.handle = handle;
    this.failed = failed;
    this.capacity = capacity;
  }

  add(payload: unknown): void {
    if (this.waiting.length >= this.capacity) {
      this.failed(new Error(`The listener is ${this.capacity} events behind; this one was dropped.`));
      return;
    }
    this.waiting.push(payload);
    this.running ??= this.drain();
  }

  get busy(): boolean {
    return this.running !== undefined;
  }

  /** Resolves when nothing waits and nothing runs. */
  async idle(): Promise<void> {
    await this.running;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      for (const payload of this.waiting.splice(0, BATCH)) await this.deliver(payload);
    }
    this.running = undefined;
  }

  private async deliver(payload: unknown): Promise<void> {
    try {
      await this.handle(payload);
    } catch (error) {
      this.failed(error);
    }
  }
}
