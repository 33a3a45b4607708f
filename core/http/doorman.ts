import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readPlainRequest, type PlainRequest } from './plain-request.ts';
import type { Guest } from './waiting-room.ts';

/** What a doorman asks of those who know whether there is a place. */
export interface House {
  /** Whether a request has to wait for a place; undefined for one that he cannot read. */
  hasToWait(request: PlainRequest | undefined): boolean;
  /** Lets one wait. */
  wait(guest: Guest): void;
  /** Answers the request on its connection if there is no place for it; says whether it did. */
  turnsAway(request: PlainRequest, socket: Socket): boolean;
  /** Whether Node may soon close a new connection, because no request of it has reached the parser. */
  isLate(openedAt: number): boolean;
}

/** What came, and as what he read it. */
interface Piece {
  readonly bytes: Buffer;
  readonly request: PlainRequest | undefined;
}

type Parse = (piece: Buffer) => void;

const doormen = new WeakMap<Socket, Doorman>();

/**
 * Stands on a connection, before Node's parser, and turns requests away for a fraction of what it costs to have them
 * parsed, wrapped in objects and answered, if no place is free after a short wait. Whatever is not plainly one whole
 * request goes to the parser, and the doorman with it.
 */
export class Doorman implements Guest {
  readonly #socket: Socket;
  readonly #parse: Parse;
  readonly #house: House;
  /** When the connection was opened, until the parser has read a request of it. */
  #openedAt: number | undefined;
  #isServing = false;
  /** Requests that the parser made of what it was given last. */
  #begun = 0;
  /**
   * Whether the parser is between requests. It may have read the beginning of one before the doorman came, unless the
   * connection was new; it is known to have none when it made one whole request of one piece that he had read as one.
   */
  #isSure: boolean;
  #held: Piece | undefined;

  /** Takes his stand on a connection whose last request was read, refused and answered, unless there is one. */
  static stand(socket: Socket, house: House): void {
    Doorman.#stand(socket, house, undefined);
  }

  /** Takes his stand on a connection that was opened in this turn, of which nothing was read. */
  static greet(socket: Socket, house: House, openedAt: number): void {
    Doorman.#stand(socket, house, openedAt);
  }

  static #stand(socket: Socket, house: House, openedAt: number | undefined): void {
    if (socket.destroyed || doormen.has(socket)) return;
    const [parse, ...others] = socket.listeners('data');
    if (others.length > 0 || !parse) return;
    doormen.set(socket, new Doorman(socket, parse as Parse, house, openedAt));
  }

  /** Tells the doorman of the connection, if there is one, that a request he let in is being answered. */
  static serves(req: IncomingMessage, res: ServerResponse): void {
    const doorman = doormen.get(req.socket);
    if (doorman) doorman.#serve(req, res);
  }

  private constructor(socket: Socket, parse: Parse, house: House, openedAt: number | undefined) {
    this.#socket = socket;
    this.#parse = parse;
    this.#house = house;
    this.#openedAt = openedAt;
    this.#isSure = openedAt !== undefined;
    // Node hands a connection's bytes to its parser natively until somebody else listens; then it listens as well.
    socket.on('data', this.#look);
    socket.off('data', parse);
  }

  readonly #look = (bytes: Buffer): void => {
    if (this.#isServing || this.#held) return this.#leave(bytes);
    const piece = { bytes, request: readPlainRequest(bytes) };
    if (this.#openedAt !== undefined && this.#house.isLate(this.#openedAt)) return this.#letIn(piece);
    if (!this.#house.hasToWait(piece.request)) return this.#decide(piece);
    this.#held = piece;
    this.#house.wait(this);
  };

  /** The connection may have been closed or left to the parser meanwhile. */
  proceed(): void {
    const piece = this.#held;
    this.#held = undefined;
    if (piece && !this.#socket.destroyed) this.#decide(piece);
  }

  #decide(piece: Piece): void {
    const { request } = piece;
    if (!request || !this.#isSure || !this.#house.turnsAway(request, this.#socket)) this.#letIn(piece);
  }

  #letIn({ bytes, request }: Piece): void {
    if (!request) return this.#leave(bytes);
    this.#openedAt = undefined;
    this.#isServing = true;
    this.#begun = 0;
    this.#parse(bytes);
  }

  #serve(req: IncomingMessage, res: ServerResponse): void {
    this.#begun += 1;
    res.once('close', () => {
      this.#isSure = this.#begun === 1 && req.complete;
      this.#isServing = !this.#isSure;
    });
  }

  #leave(bytes: Buffer): void {
    const held = this.#held;
    this.#held = undefined;
    doormen.delete(this.#socket);
    this.#socket.on('data', this.#parse);
    this.#socket.off('data', this.#look);
    if (held) this.#parse(held.bytes);
    this.#parse(bytes);
  }
}
