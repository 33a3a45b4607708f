import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Cors } from './cors.ts';
import { requestId } from './http-request.ts';
import type { InFlight } from './in-flight.ts';
import { problemAnswer } from './problem-document.ts';
import type { RequestLog } from './request-log.ts';
import { splitTarget } from './request-path.ts';
import { send } from './sending.ts';

/** How long a refused connection is not read. Short enough for the answer to its next request to count as prompt. */
const REST_MS = 100;

export interface OverloadGateParts {
  readonly inFlight: InFlight;
  /** Paths that are served whatever happens. */
  readonly probes: ReadonlySet<string>;
  readonly cors: Cors;
  readonly log: RequestLog;
  /** True when clients should open their next connection elsewhere. */
  readonly isLeaving: () => boolean;
}

/**
 * Refuses requests while every place is taken, before anything is done for them: when three times too much arrives, two
 * in three requests end here, and what they cost is taken from the third. A client that asks again at once, against
 * `Retry-After`, waits in its own socket for a moment.
 */
export class OverloadGate {
  readonly #parts: OverloadGateParts;
  #refused: Socket[] = [];

  constructor(parts: OverloadGateParts) {
    this.#parts = parts;
  }

  /** Whether the request was refused, and is answered thereby. */
  refuses(req: IncomingMessage, res: ServerResponse): boolean {
    const { inFlight, probes, cors, log, isLeaving } = this.#parts;
    if (!inFlight.isFull || probes.has(splitTarget(req.url ?? '/').path)) return false;
    const id = requestId(req.headers['x-request-id']);
    cors.mark(req, res);
    send(req, res, problemAnswer(inFlight.refusal, id, req), {
      requestId: id,
      isLast: isLeaving(),
      onBroken: () => undefined,
    });
    log.refused(inFlight.refusal);
    this.#rest(req.socket);
    return true;
  }

  /** In turns of the loop of their own, for the end of an answer sets its connection reading again. */
  #rest(socket: Socket): void {
    this.#refused.push(socket);
    if (this.#refused.length > 1) return;
    setImmediate(() => {
      const sockets = this.#refused;
      this.#refused = [];
      for (const each of sockets) each.pause();
      setTimeout(() => {
        for (const each of sockets) each.resume();
      }, REST_MS);
    });
  }
}
