import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../runtime/clock.ts';
import { readPlainRequest, type PlainRequest } from './plain-request.ts';

/** How long one who was refused waits for his next refusal. Short enough for that to count as prompt. */
const REST_MS = 120;
/** Node keeps a list for each length of a timer: few lengths are cheap, one for each request is not. */
const REST_STEP_MS = 20;

/** What a doorman asks of those who know whether there is a place. */
export interface House {
  readonly clock: Clock;
  readonly isFull: boolean;
  /** Answers the request on its connection if there is no place for it; says whether it did. */
  turnsAway(request: PlainRequest, socket: Socket): boolean;
}

type Parse = (piece: Buffer) => void;

const doormen = new WeakMap<Socket, Doorman>();

/**
 * Stands on a kept connection between requests, before Node's parser, and turns requests away for a fraction of what it
 * costs to have them parsed, wrapped in objects and answered. A client that asks again at once, against `Retry-After`,
 * waits a moment for its answer. Whatever is not plainly one whole request goes to the parser, and the doorman with it.
 */
export class Doorman {
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
  #restsUntil: number;

  /** Takes a place, or a rest, on a connection whose last request was read, refused and answered. */
  static stand(socket: Socket, house: House): void {
    const listeners = socket.listeners('data');
    const known = doormen.get(socket);
    if (known) known.#rest();
    else if (!socket.destroyed && listeners.length === 1) {
      doormen.set(socket, new Doorman(socket, listeners[0] as Parse, house));
    }
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
    this.#restsUntil = house.clock.elapsed() + REST_MS;
    // Node hands a connection's bytes to its parser natively until somebody else listens; then it listens as well.
    socket.on('data', this.#look);
    socket.off('data', parse);
  }

  readonly #look = (piece: Buffer): void => {
    const rest = this.#restsUntil - this.#house.clock.elapsed();
    if (this.#isServing || this.#held) this.#leave(piece);
    else if (rest > 0 && this.#house.isFull) this.#hold(piece, rest);
    else this.#decide(piece);
  };

  #hold(piece: Buffer, milliseconds: number): void {
    this.#held = piece;
    setTimeout(
      () => {
        if (this.#held !== piece) return;
        this.#held = undefined;
        if (!this.#socket.destroyed) this.#decide(piece);
      },
      Math.ceil(milliseconds / REST_STEP_MS) * REST_STEP_MS,
    );
  }

  #decide(piece: Buffer): void {
    const request = readPlainRequest(piece);
    if (!request) return this.#leave(piece);
    if (this.#isSure && this.#house.turnsAway(request, this.#socket)) return this.#rest();
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

  #rest(): void {
    this.#restsUntil = this.#house.clock.elapsed() + REST_MS;
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
