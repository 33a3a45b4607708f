import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../support/clock.ts';
import type { Connections } from './connections.ts';

/** In bytes. A client that has read this much more is not slow, however long the whole answer takes. */
const PROGRESS = 8_388_608;

/** Often enough that only little is written between two checks. */
const CHECK_INTERVAL_MS = 250;

/** Limits for data that clients have not read yet. */
export interface ReadingLimits {
  /** How long a client may take to read the pending data, or 8 MiB of a longer answer, in milliseconds. */
  readonly deadlineMs: number;
  /** Bytes that may be pending for all clients together. */
  readonly memory: number;
}

/** An answer with pending bytes. */
interface Unread {
  readonly socket: Socket;
  /** The beginning of the current deadline, in monotonic milliseconds, and the bytes that the client had read then. */
  readonly since: number;
  readonly read: number;
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
        if (bytes === 0) continue;
        const read = socket.bytesWritten - socket.writableLength;
        const before = this.#unread.get(answer);
        const began = before && read - before.read < PROGRESS ? before : { since: now, read };
        unread.set(answer, { ...began, socket, bytes });
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
