import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readPlainRequest, type PlainRequest } from './plain-request.ts';
import type { Guest } from './waiting-room.ts';

/** What a doorman asks of those who know whether there is a place. */
export interface House {
  /** Whether requests have to wait for a place. */
  readonly isCrowded: boolean;
  /** Lets one wait. */
  wait(guest: Guest): void;
  /** Answers the request on its connection if there is no place for it; says whether it did. */
  turnsAway(request: PlainRequest, socket: Socket): boolean;
}

type Parse = (piece: Buffer) => void;

const doormen = new WeakMap<Socket, Doorman>();

/**
 * Stands on a kept connection between requests, before Node's parser, and turns requests away for a fraction of what it
 * costs to have them parsed, wrapped in objects and answered, if no place is free after a short wait. Whatever is not
 * plainly one whole request goes to the parser, and the doorman with it.
 */
export class Doorman implements Guest {
  readonly #socket: Socket;
  readonly #parse: Parse;
  readonly #house: House;
  #isServing = false;
  /** Requests that the parser made of what it was given last. */
  #begun = 0;
  /**
   * Whether the parser is between requests. It may have read the beginning of one before the doorman came, and is known
   * to have none when it made one whole request of one piece that the doorman had read as one.
   */
  #isSure = false;
  #held: Buffer | undefined;

  /** Takes his stand on a connection whose last request was read, refused and answered, unless there is one. */
  static stand(socket: Socket, house: House): void {
    if (socket.destroyed || doormen.has(socket)) return;
    const listeners = socket.listeners('data');
    if (listeners.length === 1) doormen.set(socket, new Doorman(socket, listeners[0] as Parse, house));
  }

  /** Tells the doorman of the connection, if there is one, that a request he let in is being answered. */
  static serves(req: IncomingMessage, res: ServerResponse): void {
    const doorman = doormen.get(req.socket);
    if (doorman) doorman.#serve(req, res);
  }

  private constructor(socket: Socket, parse: Parse, house: House) {
    this.#socket = socket;
    this.#parse = parse;
    this.#house = house;
    // Node hands a connection's bytes to its parser natively until somebody else listens; then it listens as well.
    socket.on('data', this.#look);
    socket.off('data', parse);
  }

  readonly #look = (piece: Buffer): void => {
    if (this.#isServing || this.#held) this.#leave(piece);
    else if (this.#house.isCrowded) {
      this.#held = piece;
      this.#house.wait(this);
    } else this.#decide(piece);
  };

  /** The connection may have been closed or left to the parser meanwhile. */
  proceed(): void {
    const piece = this.#held;
    this.#held = undefined;
    if (piece && !this.#socket.destroyed) this.#decide(piece);
  }

  #decide(piece: Buffer): void {
    const request = readPlainRequest(piece);
    if (!request) return this.#leave(piece);
    if (this.#isSure && this.#house.turnsAway(request, this.#socket)) return;
    this.#isServing = true;
    this.#begun = 0;
    this.#parse(piece);
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    this.#begun += 1;
    res.once('close', () => {
      this.#isSure = this.#begun === 1 && req.complete;
      this.#isServing = !this.#isSure;
    });
  }

  #leave(piece: Buffer): void {
    const held = this.#held;
    this.#held = undefined;
    doormen.delete(this.#socket);
    this.#socket.on('data', this.#parse);
    this.#socket.off('data', this.#look);
    if (held) this.#parse(held);
    this.#parse(piece);
  }
}
