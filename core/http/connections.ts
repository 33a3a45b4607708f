import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../errors/problem.ts';

const controllers = new WeakMap<Socket, AbortController>();

/**
 * A signal that aborts when the connection closes. All requests of a connection share it, because a signal for each
 * request would take a seventh of the time of a call.
 */
export function signalOf(socket: Socket): AbortSignal {
  return controllerOf(socket).signal;
}

/** The answers of a connection that are not sent completely, oldest first. */
type Answers = readonly ServerResponse[];

/**
 * The open connections of a server, longest idle first. Beyond the limit a new connection replaces the first one that
 * has no complete request in progress, so that half-open connections do not lock out other clients.
 *
 * Each connection has a list of its answers. One map of all answers would waste memory: when a map grows, its old table
 * keeps all answers in it alive until the next major garbage collection.
 */
export class Connections {
  readonly #limit: number;
  readonly #open = new Map<Socket, ServerResponse[]>();

  constructor(server: Server, limit: number) {
    this.#limit = limit;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    server.on('request', this.#serve).on('checkExpectation', this.#serve);
  }

  /** The open connections with their answers. */
  [Symbol.iterator](): Iterator<readonly [Socket, Answers]> {
    return this.#open.entries();
  }

  /** Aborts the signals of all requests, with the problem as the reason. */
  abortAll(reason: Problem): void {
    for (const socket of this.#open.keys()) controllerOf(socket).abort(reason);
  }

  /** Closes those on which nothing has arrived, which Node does not count as idle. */
  closeUnused(): void {
    for (const [socket, answers] of this.#open) {
      if (answers.length === 0 && socket.bytesRead === 0) socket.destroy();
    }
  }

  #accept(socket: Socket): void {
    // Reading the address makes Node keep it. A connection that was reset already has none.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    if (this.#open.size >= this.#limit && !this.#closeWaiting()) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, []);
    socket.once('close', () => this.#open.delete(socket));
  }

  #closeWaiting(): boolean {
    for (const [socket, answers] of this.#open) {
      if (answers.at(-1)?.req.complete) continue;
      this.#open.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  readonly #serve = ({ socket }: IncomingMessage, answer: ServerResponse): void => {
    this.#open.get(socket)?.push(answer);
    answer.once('close', () => this.#end(socket));
  };

  /** Answers are sent, and so end, in the order of their requests. */
  #end(socket: Socket): void {
    const answers = this.#open.get(socket);
    answers?.shift();
    if (answers?.length !== 0) return;
    this.#open.delete(socket);
    this.#open.set(socket, answers);
  }
}

function controllerOf(socket: Socket): AbortController {
  const known = controllers.get(socket);
  if (known) return known;
  const controller = new AbortController();
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  // Without a permanent listener, the signal would create its table of listeners anew for each request.
  controller.signal.addEventListener('abort', () => undefined);
  controllers.set(socket, controller);
  return controller;
}
