import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../errors/problem.ts';

const controllers = new WeakMap<Socket, AbortController>();

/**
 * Aborts when the connection closes: the client went away, or has its answer and needs the signal no more. All requests
 * of a connection share it, for a signal for each would cost a call a seventh of its time.
 */
export function signalOf(socket: Socket): AbortSignal {
  return controllerOf(socket).signal;
}

/** The open connections of a server. */
export class Connections {
  readonly #open = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
  }

  get count(): number {
    return this.#open.size;
  }

  /** Aborts the signals of all their requests, with the problem as the reason. */
  giveUp(reason: Problem): void {
    for (const socket of this.#open) controllerOf(socket).abort(reason);
  }
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
