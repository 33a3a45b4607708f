import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Cors } from './cors.ts';
import { Doorman, type Refuse } from './doorman.ts';
import { requestId } from './http-request.ts';
import type { InFlight } from './in-flight.ts';
import { problemAnswer } from './problem-document.ts';
import type { RequestLog } from './request-log.ts';
import { splitTarget } from './request-path.ts';
import { messageOf, send } from './sending.ts';

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
 * `Retry-After`, waits in its own socket for a moment and then meets a doorman.
 */
export class OverloadGate {
  readonly #parts: OverloadGateParts;

  constructor(parts: OverloadGateParts) {
    this.#parts = parts;
  }

  /** Whether the request was refused, and is answered thereby. */
  refuses(req: IncomingMessage, res: ServerResponse): boolean {
    const { socket } = req;
    Doorman.serves(socket, res);
    const { path } = splitTarget(req.url ?? '/');
    if (!this.#isShutFor(path)) return false;
    const { inFlight, cors, log, isLeaving } = this.#parts;
    const id = requestId(req.headers['x-request-id']);
    cors.mark(req, res);
    send(req, res, problemAnswer(inFlight.refusal, id, path), {
      requestId: id,
      isLast: isLeaving(),
      onBroken: () => undefined,
    });
    log.refused(inFlight.refusal);
    // In this turn the parser still reads the body, and the end of the answer sets the connection reading again.
    setImmediate(() => {
      if (req.complete && res.writableFinished) Doorman.stand(socket, this.#refuse);
      this.#rest(socket);
    });
    return true;
  }

  #isShutFor(path: string): boolean {
    return this.#parts.inFlight.isFull && !this.#parts.probes.has(path);
  }

  /** One who has not read his last answer, or is to be told to leave, is answered in the long way. */
  readonly #refuse: Refuse = (socket, request) => {
    const { inFlight, log, isLeaving } = this.#parts;
    const { path } = splitTarget(request.path);
    if (!this.#isShutFor(path) || isLeaving() || socket.writableLength > 0) return false;
    const id = requestId(request.requestId);
    socket.write(messageOf(problemAnswer(inFlight.refusal, id, path), { requestId: id, isLast: false }));
    log.refused(inFlight.refusal);
    this.#rest(socket);
    return true;
  };

  #rest(socket: Socket): void {
    socket.pause();
    setTimeout(() => socket.resume(), REST_MS);
  }
}
