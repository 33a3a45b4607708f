/** Stops what was started, last first, also when something failed on the way. */
export class Cleanup {
  readonly #steps: (() => Promise<unknown>)[] = [];

  /** Answers what was given, and keeps in mind how to end it. */
  add<T extends { stop(): Promise<unknown> }>(started: T): T {
    this.#steps.push(() => started.stop());
    return started;
  }

  later(step: () => Promise<unknown>): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.toReversed()) await step();
  }
}

/** Runs work that starts things, and stops them afterwards. */
export async function withCleanup<T>(work: (cleanup: Cleanup) => Promise<T>): Promise<T> {
  const cleanup = new Cleanup();
  try {
    return await work(cleanup);
  } finally {
    await cleanup.run();
  }
}
