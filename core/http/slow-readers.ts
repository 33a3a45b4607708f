import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../support/clock.ts';

/** Often enough that only little is written between two checks. */
const CHECK_INTERVAL_MS = 250;

/** Limits for data that clients have not read yet. */
export interface ReadingLimits {
  /** How long a client may take to read the pending data, in milliseconds. */
  readonly deadlineMs: number;
  /** Bytes that may be pending for all clients together. */
  readonly memory: number;
}

/** An answer with pending bytes, and since when they are pending, in monotonic milliseconds. */
interface Unread {
  readonly socket: Socket;
  readonly since: number;
}

/**
 * Closes connections whose clients do not read their answers: Node limits neither how slowly a client reads nor how much
 * is buffered for it. Beyond the memory limit the longest waiting connections close first.
 */
export class SlowReaders {
  readonly #limits: ReadingLimits;
  readonly #timer: NodeJS.Timeout;
  /** All answers that are not sent completely; undefined for those without pending bytes. */
  readonly #answers = new Map<ServerResponse, Unread | undefined>();

  constructor(server: Server, limits: ReadingLimits, clock: Clock) {
    this.#limits = limits;
    const watch = (_: IncomingMessage, answer: ServerResponse): void => {
      this.#answers.set(answer, undefined);
      answer.once('close', () => this.#answers.delete(answer));
    };
    server.on('request', watch).on('checkExpectation', watch);
    this.#timer = setInterval(() => this.#check(clock.elapsed()), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(now: number): void {
    const unread: (Unread & { readonly bytes: number })[] = [];
    for (const [answer, known] of this.#answers) {
      const { socket } = answer.req;
      const bytes = answer.writableLength;
      // Node does not close an answer that is queued behind another one when their connection closes.
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
