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

/**
 * The open connections of a server, longest idle first. Beyond the limit a new connection replaces the first one that
 * has no complete request in progress, so that half-open connections do not lock out other clients.
 */
export class Connections {
  readonly #limit: number;
  /** Each connection with its latest request, until that is answered. */
  readonly #open = new Map<Socket, IncomingMessage | undefined>();

  constructor(server: Server, limit: number) {
    this.#limit = limit;
    server.on('connection', (socket: Socket) => this.#accept(socket));
    server.on('request', this.#serve).on('checkExpectation', this.#serve);
  }

  /** Aborts the signals of all requests, with the problem as the reason. */
  abortAll(reason: Problem): void {
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
  // One permanent listener keeps the table of listeners, which each request would otherwise create and drop again.
  controller.signal.addEventListener('abort', () => undefined);
  controllers.set(socket, controller);
  return controller;
}
