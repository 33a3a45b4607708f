import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readPlainRequest, type PlainRequest } from './plain-request.ts';

/** Answers the request on the connection if it is refused; says whether it did. */
export type Refuse = (socket: Socket, request: PlainRequest) => boolean;

type Parse = (piece: Buffer) => void;

const doormen = new WeakMap<Socket, Doorman>();

/**
 * Stands on a kept connection between requests, before Node's parser, and turns requests away for half of what it costs
 * to have them parsed, wrapped in objects and answered. Whatever is not plainly one whole request goes to the parser,
 * and the doorman with it.
 */
export class Doorman {
  readonly #socket: Socket;
  readonly #parse: Parse;
  readonly #refuse: Refuse;
  #isServing = false;

  /** Takes a place on a connection whose last request was read and answered; does nothing where one stands already. */
  static stand(socket: Socket, refuse: Refuse): void {
    const listeners = socket.listeners('data');
    if (socket.destroyed || doormen.has(socket) || listeners.length !== 1) return;
    doormen.set(socket, new Doorman(socket, listeners[0] as Parse, refuse));
  }

  /** Tells the doorman of the connection, if there is one, that a request he let in is being answered. */
  static serves(socket: Socket, res: ServerResponse): void {
    const doorman = doormen.get(socket);
    if (doorman) res.once('close', () => (doorman.#isServing = false));
  }

  private constructor(socket: Socket, parse: Parse, refuse: Refuse) {
    this.#socket = socket;
    this.#parse = parse;
    this.#refuse = refuse;
    // Node hands a connection's bytes to its parser natively until somebody else listens; then it listens as well.
    socket.on('data', this.#look);
    socket.off('data', parse);
  }

  readonly #look = (piece: Buffer): void => {
    const request = this.#isServing ? undefined : readPlainRequest(piece);
    if (!request) this.#leave();
    else if (this.#refuse(this.#socket, request)) return;
    else this.#isServing = true;
    this.#parse(piece);
  };

  #leave(): void {
    doormen.delete(this.#socket);
    this.#socket.on('data', this.#parse);
    this.#socket.off('data', this.#look);
  }
}
