import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../support/clock.ts';

/** Often enough for little to be written between two looks. */
const LOOK_MS = 250;

/** What clients may leave unread. */
export interface ReadingLimits {
  /** How long a client may take to empty what was written to it, in milliseconds. */
  readonly deadlineMs: number;
  /** Bytes that may wait for all clients together. */
  readonly memory: number;
}

/** An answer, and since when bytes of it wait, in monotonic milliseconds. */
interface Unread {
  readonly socket: Socket;
  readonly since: number;
}

/**
 * Closes connections whose clients do not read their answers: Node bounds neither how slowly a client reads nor how much
 * waits for it. Beyond the memory those go first that have waited longest.
 */
export class SlowReaders {
  readonly #limits: ReadingLimits;
  readonly #timer: NodeJS.Timeout;
  /** All answers that are not sent yet; undefined for those of which nothing waits. */
  readonly #answers = new Map<ServerResponse, Unread | undefined>();

  constructor(server: Server, limits: ReadingLimits, clock: Clock) {
    this.#limits = limits;
    const watch = (_: IncomingMessage, answer: ServerResponse): void => {
      this.#answers.set(answer, undefined);
      answer.once('close', () => this.#answers.delete(answer));
    };
    server.on('request', watch).on('checkExpectation', watch);
    this.#timer = setInterval(() => this.#look(clock.elapsed()), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(now: number): void {
    const unread: (Unread & { readonly bytes: number })[] = [];
    for (const [answer, known] of this.#answers) {
      const { socket } = answer.req;
      const bytes = answer.writableLength;
      // Node does not close an answer that waits for an earlier one when their connection closes.
      if (socket.destroyed) this.#answers.delete(answer);
      else if (bytes === 0) this.#answers.set(answer, undefined);
      else {
        const since = known?.since ?? now;
        this.#answers.set(answer, { socket, since });
        unread.push({ socket, since, bytes });
      }
    }
    this.#closeSome(unread, now);
  }

  #closeSome(unread: readonly (Unread & { readonly bytes: number })[], now: number): void {
    const { deadlineMs, memory } = this.#limits;
    let waiting = unread.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { socket, since, bytes } of [...unread].sort((a, b) => a.since - b.since)) {
      if (waiting <= memory && now - since <= deadlineMs) return;
      socket.destroy();
      waiting -= bytes;
    }
  }
}
