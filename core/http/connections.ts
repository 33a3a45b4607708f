import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../errors/problem.ts';

const controllers = new WeakMap<Socket, AbortController>();

/**
 * Aborts when the connection closes: the client went away, or has its answer and needs the signal no more. All requests
 * of a connection share it, since a signal for each would cost a call a seventh of its time.
 */
export function signalOf(socket: Socket): AbortSignal {
  return controllerOf(socket).signal;
}

/**
 * The open connections of a server, those that have waited longest for a request first. Beyond the limit a new one takes
 * the place of the first that has no whole request under way, so that half-open connections keep out no clients.
 */
export class Connections {
  readonly #limit: number;
  /** Each connection with the request that came last on it, until that is answered. */
  readonly #open = new Map<Socket, IncomingMessage | undefined>();

  constructor(server: Server, limit: number) {
    this.#limit = limit;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    server.on('request', this.#serve).on('checkExpectation', this.#serve);
  }

  /** Aborts the signals of all requests, with the problem as the reason. */
  giveUp(reason: Problem): void {
    for (const socket of this.#open.keys()) controllerOf(socket).abort(reason);
  }

  #accept(socket: Socket): void {
    if (this.#open.size >= this.#limit && !this.#closeWaiting()) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, undefined);
    socket.once('close', () => this.#open.delete(socket));
  }

  #closeWaiting(): boolean {
    for (const [socket, request] of this.#open) {
      if (request?.complete) continue;
      this.#open.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  readonly #serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    this.#open.set(socket, request);
    response.once('close', () => {
      if (this.#open.get(socket) !== request) return;
      this.#open.delete(socket);
      this.#open.set(socket, undefined);
    });
  };
}

function controllerOf(socket: Socket): AbortController {
  const known = controllers.get(socket);
  if (known) return known;
  const controller = new AbortController();
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  // While it has a listener, those that come and go for each request make it no new table of listeners.
  controller.signal.addEventListener('abort', () => undefined);
  controllers.set(socket, controller);
  return controller;
}
