import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../support/clock.ts';

/** Often enough for little to be written between two looks; a look at 2,000 quiet connections takes a twentieth of a millisecond. */
const LOOK_MS = 100;

/** What clients may leave unread. */
export interface ReadingLimits {
  /** How long a client may take to empty what was written to it. */
  readonly deadlineMs: number;
  /** Bytes that may wait for all clients together. */
  readonly memory: number;
}

/** The client of a connection, and what waits for it to read. */
interface Reader {
  readonly socket: Socket;
  /** Answers that wait for earlier ones on the connection, for its client did not. */
  queued: ServerResponse[];
  unsent: number;
  /** Since when something waits that the client could read. */
  since: number | undefined;
  /** When the client last read of what waits. */
  movedAt: number;
  /** Bytes of what was written last that the kernel has not taken. */
  untaken: number;
}

/** Closes connections whose clients do not read their answers: Node bounds neither how slowly one may read nor how much. */
export class SlowReaders {
  readonly #limits: ReadingLimits;
  readonly #readers = new Map<Socket, Reader>();
  readonly #timer: NodeJS.Timeout;

  constructor(server: Server, limits: ReadingLimits, clock: Clock) {
    this.#limits = limits;
    server.on('connection', (socket: Socket) => {
      this.#readers.set(socket, {
        socket,
        queued: [],
        unsent: 0,
        since: undefined,
        movedAt: 0,
        untaken: 0,
      });
      socket.once('close', () => this.#readers.delete(socket));
    });
    server.on('request', this.#notice).on('checkExpectation', this.#notice);
    this.#timer = setInterval(() => this.#look(clock.elapsed()), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Node gives an answer no socket while an earlier one has it, and keeps what is written to it. */
  readonly #notice = ({ socket }: IncomingMessage, res: ServerResponse): void => {
    if (res.socket === null) this.#readers.get(socket)?.queued.push(res);
  };

  #look(now: number): void {
    const { deadlineMs, memory } = this.#limits;
    const waiting: Reader[] = [];
    let unsent = 0;
    for (const reader of this.#readers.values()) {
      bringUpToDate(reader, now);
      if (reader.unsent === 0) continue;
      if (now - (reader.since ?? now) > deadlineMs) reader.socket.destroy();
      else {
        waiting.push(reader);
        unsent += reader.unsent;
      }
    }
    if (unsent > memory) this.#relieve(waiting, unsent);
  }

  /** Those with less than an equal share are spared, for the others alone make up what is too much. */
  #relieve(waiting: readonly Reader[], unsent: number): void {
    const { memory } = this.#limits;
    const share = memory / waiting.length;
    const large = waiting.filter((reader) => reader.unsent > share);
    large.sort((a, b) => a.movedAt - b.movedAt);
    let excess = unsent - memory;
    for (const { socket, unsent: freed } of large) {
      if (excess <= 0) return;
      socket.destroy();
      excess -= freed;
    }
  }
}

function bringUpToDate(reader: Reader, now: number): void {
  const { socket, unsent: before } = reader;
  const written = socket.writableLength;
  reader.since = written === 0 ? undefined : (reader.since ?? now);
  reader.unsent = written + queuedFor(reader);
  if (reader.unsent === 0) return;
  const untaken = untakenOf(socket);
  if (before === 0 || untaken !== reader.untaken) reader.movedAt = now;
  reader.untaken = untaken;
}

function queuedFor(reader: Reader): number {
  if (reader.queued.length === 0) return 0;
  reader.queued = reader.queued.filter((res) => res.socket === null && !res.writableFinished);
  return reader.queued.reduce((sum, res) => sum + res.writableLength, 0);
}

/** Only Node's handle tells how much of a write is done; `writableLength` has all of it until its end. */
function untakenOf(socket: Socket): number {
  return (socket as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0;
}
