import { Overloaded } from '../errors/problems.ts';
import type { StepContext } from './state.ts';

/** Bodies up to this size are read whatever else is held, so that a few large uploads cannot keep everybody out. */
const ALWAYS_ROOM = 65_536;

/** Large bodies whose requests are worked on may be four times what may be arriving. */
const WORKED_ON = 4;

/** What each piece in which a body arrives holds beside its bytes: an object of about this size. */
const PIECE = 128;

/** Bounds the bytes of all bodies together: of those that arrive, and of large ones until they are answered. */
export class BodyBudget {
  readonly #budget: number;
  #arriving = 0;
  #workedOn = 0;

  constructor(bytes: number) {
    this.#budget = bytes;
  }

  /**
   * Counts a body from its first byte on, and calls back with `Overloaded` when a large one finds no room. The answered
   * function is to be called once: when the body has arrived, or was given up and is held until its connection closes.
   */
  count({ req, res }: StepContext, refuse: (problem: Error) => void): (hasArrived: boolean) => void {
    let size = 0;
    const add = ({ length }: Buffer): void => {
      size += length + PIECE;
      this.#arriving += length + PIECE;
      if (size > ALWAYS_ROOM && this.#isFull) refuse(tooMuchAtOnce());
    };
    const whenClosed = (release: () => void): void =>
      void (res.closed ? release() : res.once('close', release));
    req.on('data', add);
    return (hasArrived) => {
      req.off('data', add);
      if (!hasArrived) return whenClosed(() => (this.#arriving -= size));
      this.#arriving -= size;
      if (size <= ALWAYS_ROOM) return;
      this.#workedOn += size;
      whenClosed(() => (this.#workedOn -= size));
    };
  }

  get #isFull(): boolean {
    return this.#arriving > this.#budget || this.#arriving + this.#workedOn > WORKED_ON * this.#budget;
  }
}

function tooMuchAtOnce(): Error {
  return Overloaded('Too many large bodies are arriving or worked on. Try again in a second.', {
    headers: { 'Retry-After': '1' },
  });
}
