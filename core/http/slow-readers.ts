import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../runtime/clock.ts';

/** Closes connections whose clients do not read their answers: Node bounds how slowly one may send, not read. */
export class SlowReaders {
  readonly #waitingSince = new Map<Socket, number>();
  readonly #timer: NodeJS.Timeout;

  /** A client may take `deadlineMs` to empty what was written to it; looked at every `intervalMs`. */
  constructor(server: Server, deadlineMs: number, intervalMs: number, clock: Clock) {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        this.#waitingSince.delete(socket);
      });
    });
    this.#timer = setInterval(() => {
      for (const socket of sockets) this.#look(socket, clock.elapsed(), deadlineMs);
    }, intervalMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(socket: Socket, now: number, deadlineMs: number): void {
    if (socket.writableLength === 0) {
      this.#waitingSince.delete(socket);
      return;
    }
    const since = this.#waitingSince.get(socket);
    if (since === undefined) this.#waitingSince.set(socket, now);
    else if (now - since > deadlineMs) socket.destroy();
  }
}
