/** Where lines of the log go: `process.stderr`, a file stream, an array in a test. */
export interface LogDestination {
  write(line: string): void;
}

/** How long a line waits for others, in milliseconds. */
const WAIT_MS = 100;
/** So many characters are written without waiting for more. */
const ENOUGH = 16_000;

/**
 * Writes lines together. Pino's own destination can, but it measures all that it has gathered again with each line, by
 * which a line costs as much as the page it stands on.
 */
export class GatheredLines implements LogDestination {
  readonly #destination: LogDestination;
  #lines = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(destination: LogDestination) {
    this.#destination = destination;
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= ENOUGH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS).unref();
  }

  /** Hands over what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.#destination.write(lines);
  }
}
