import { Overloaded } from '../errors/core-problems.ts';
import type { StepContext } from './state.ts';

/** Bodies up to this many bytes are always read, so that a few large uploads cannot block all other clients. */
const ALWAYS_ALLOWED = 65_536;

/** Large bodies of requests in progress may take this many times the budget for arriving bodies. */
const IN_PROGRESS_FACTOR = 4;

/** Approximate memory in bytes that each received chunk takes beside its content. */
const CHUNK_OVERHEAD = 128;

/** Bounds the bytes of all bodies together: of arriving bodies, and of large bodies until their requests are answered. */
export class BodyBudget {
  readonly #budget: number;
  #arriving = 0;
  #inProgress = 0;

  constructor(bytes: number) {
    this.#budget = bytes;
  }

  /**
   * Counts a body from its first byte on, and calls `refuse` with `Overloaded` when a large one exceeds the budget. Call the
   * returned function once: with `true` when the body has arrived, with `false` when reading it was abandoned.
   */
  count({ req, res }: StepContext, refuse: (problem: Error) => void): (hasArrived: boolean) => void {
    let size = 0;
    const add = ({ length }: Buffer): void => {
      size += length + CHUNK_OVERHEAD;
      this.#arriving += length + CHUNK_OVERHEAD;
      if (size > ALWAYS_ALLOWED && this.#isFull) refuse(overBudget());
    };
    const whenClosed = (release: () => void): void =>
      void (res.closed ? release() : res.once('close', release));
    req.on('data', add);
    return (hasArrived) => {
      req.off('data', add);
      if (!hasArrived) return whenClosed(() => (this.#arriving -= size));
      this.#arriving -= size;
      if (size <= ALWAYS_ALLOWED) return;
      this.#inProgress += size;
      whenClosed(() => (this.#inProgress -= size));
    };
  }

  get #isFull(): boolean {
    return (
      this.#arriving > this.#budget || this.#arriving + this.#inProgress > IN_PROGRESS_FACTOR * this.#budget
    );
  }
}

function overBudget(): Error {
  return Overloaded('Too many large bodies are arriving or worked on. Try again in a second.', {
    headers: { 'Retry-After': '1' },
  });
}
