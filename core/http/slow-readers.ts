import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../support/clock.ts';
import type { Connections } from './connections.ts';

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
  readonly bytes: number;
}

/**
 * Closes connections whose clients do not read their answers: Node limits neither how slowly a client reads nor how much
 * is buffered for it. Beyond the memory limit the longest waiting connections close first.
 */
export class SlowReaders {
  readonly #connections: Connections;
  readonly #limits: ReadingLimits;
  readonly #timer: NodeJS.Timeout;
  #unread: ReadonlyMap<ServerResponse, Unread> = new Map();

  constructor(connections: Connections, limits: ReadingLimits, clock: Clock) {
    this.#connections = connections;
    this.#limits = limits;
    this.#timer = setInterval(() => this.#check(clock.elapsed()), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(now: number): void {
    const unread = new Map<ServerResponse, Unread>();
    for (const [socket, answers] of this.#connections) {
      for (const answer of answers) {
        const bytes = answer.writableLength;
        const since = this.#unread.get(answer)?.since ?? now;
        if (bytes > 0) unread.set(answer, { socket, since, bytes });
      }
    }
    this.#unread = unread;
    this.#closeSome([...unread.values()], now);
  }

  #closeSome(unread: readonly Unread[], now: number): void {
    const { deadlineMs, memory } = this.#limits;
    let waiting = unread.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { socket, since, bytes } of [...unread].sort((a, b) => a.since - b.since)) {
      if (waiting <= memory && now - since <= deadlineMs) return;
      socket.destroy();
      waiting -= bytes;
    }
  }
}
