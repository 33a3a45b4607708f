import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../support/clock.ts';
import type { Cors } from './cors.ts';
import { Doorman, type House } from './doorman.ts';
import { requestId } from './http-request.ts';
import type { InFlight } from './in-flight.ts';
import type { PlainRequest } from './plain-request.ts';
import { problemAnswer } from './problem-document.ts';
import type { RequestLog } from './request-log.ts';
import { splitTarget } from './routing/request-path.ts';
import { RefusalMessage } from './refusal-message.ts';
import { send } from './sending.ts';
import { LONGEST_WAIT_MS, WaitingRoom, type Guest } from './waiting-room.ts';

export interface OverloadGateParts {
  readonly inFlight: InFlight;
  /** Paths that are served whatever happens. */
  readonly probes: ReadonlySet<string>;
  readonly cors: Cors;
  readonly log: RequestLog;
  readonly clock: Clock;
  /** After so long Node closes a new connection of which its parser has read no request. */
  readonly headersTimeoutMs: number;
  /** True when clients should open their next connection elsewhere. */
  readonly isLeaving: () => boolean;
}

/**
 * Refuses requests while every place is taken, before anything is done for them: what they cost is taken from those that
 * are served. One who was refused meets a doorman when he asks again, and so does everybody who comes when there are more
 * connections than places: he waits in line for a place.
 */
export class OverloadGate implements House {
  readonly #parts: OverloadGateParts;
  readonly #message: RefusalMessage;
  readonly #waiting: WaitingRoom;
  /** The last request of each connection on which one was refused in this turn. */
  readonly #refused = new Map<Socket, IncomingMessage>();

  constructor(parts: OverloadGateParts) {
    this.#parts = parts;
    this.#message = new RefusalMessage(parts.inFlight.refusal);
    this.#waiting = new WaitingRoom(parts.inFlight, parts.clock);
  }

  /** Has a doorman meet a new connection when there are more of them than places. */
  greet(socket: Socket, connections: number): void {
    const { inFlight, clock } = this.#parts;
    if (connections > inFlight.leastLimit) Doorman.greet(socket, this, clock.elapsed());
  }

  /** Nobody waits for a server that stops: it closes connections that have nothing under way. */
  hasToWait(request: PlainRequest | undefined): boolean {
    const { inFlight, isLeaving } = this.#parts;
    if ((!inFlight.isFull && this.#waiting.isEmpty) || isLeaving()) return false;
    return !request || !this.#isProbe(request);
  }

  isLate(openedAt: number): boolean {
    const { clock, headersTimeoutMs } = this.#parts;
    return clock.elapsed() - openedAt > headersTimeoutMs - LONGEST_WAIT_MS;
  }

  /** Lets those who wait go on, for the server stops. */
  stopWaiting(): void {
    this.#waiting.clear();
  }

  wait(guest: Guest): void {
    this.#waiting.wait(guest);
  }

  /** Whether the request was refused, and is answered thereby. */
  refuses(req: IncomingMessage, res: ServerResponse): boolean {
    const { socket } = req;
    Doorman.serves(req, res);
    if (this.#refused.size > 0) this.#refused.delete(socket);
    const { inFlight, probes, cors, log, isLeaving } = this.#parts;
    if (!inFlight.isFull) return false;
    const { path } = splitTarget(req.url ?? '/');
    if (probes.has(path)) return false;
    const id = requestId(req.headers['x-request-id']);
    cors.mark(req, res);
    send(req, res, problemAnswer(inFlight.refusal, id, path), {
      requestId: id,
      isLast: isLeaving(),
      onBroken: () => undefined,
    });
    log.refused(inFlight.refusal);
    this.#refused.set(socket, req);
    // In this turn the parser still has the body to read, and perhaps further requests.
    setImmediate(() => {
      if (this.#refused.get(socket) !== req) return;
      this.#refused.delete(socket);
      if (req.complete && res.writableFinished) Doorman.stand(socket, this);
    });
    return true;
  }

  /** One who has not read his last answer, or is to be told to leave, is answered in the long way. */
  turnsAway(request: PlainRequest, socket: Socket): boolean {
    const { inFlight, log, isLeaving } = this.#parts;
    if (!inFlight.isFull || isLeaving() || socket.writableLength > 0 || this.#isProbe(request)) return false;
    const id = requestId(request.requestId);
    socket.write(this.#message.for(id, splitTarget(request.path).path), 'latin1');
    log.refused(inFlight.refusal);
    return true;
  }

  #isProbe({ path }: PlainRequest): boolean {
    return this.#parts.probes.has(splitTarget(path).path);
  }
}
