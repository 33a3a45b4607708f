import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { newId } from '../runtime/ids.ts';
import type { InFlight } from './in-flight.ts';
import { PROBLEM_TYPE, problemHead, problemMembers } from './problem-document.ts';
import type { RequestLog } from './request-log.ts';
import { splitTarget } from './request-path.ts';
import { protectiveHead } from './sending.ts';

/** How long a refused connection is not read. Short enough for the answer to its next request to count as prompt. */
const REST_MS = 100;

export interface OverloadGateParts {
  readonly inFlight: InFlight;
  /** Paths that are served whatever happens. */
  readonly probes: ReadonlySet<string>;
  readonly log: RequestLog;
}

/**
 * Refuses requests while every place is taken, before anything is done for them and with bytes that are there already:
 * when three times too much arrives, two in three requests end here, and what they cost is taken from the third.
 * A client that asks again at once, against `Retry-After`, waits in its own socket for a moment.
 */
export class OverloadGate {
  readonly #parts: OverloadGateParts;
  readonly #head: readonly string[];
  readonly #start: string;
  #refused: Socket[] = [];

  constructor(parts: OverloadGateParts) {
    const { refusal } = parts.inFlight;
    this.#parts = parts;
    this.#head = [
      ...protectiveHead,
      'Content-Type',
      PROBLEM_TYPE,
      ...Object.entries(problemHead(refusal)).flat(),
    ];
    this.#start = JSON.stringify(problemMembers(refusal)).slice(0, -1);
  }

  /** Whether the request was refused, and is answered thereby. */
  refuses(req: IncomingMessage, res: ServerResponse): boolean {
    const { inFlight, probes, log } = this.#parts;
    if (!inFlight.isFull) return false;
    const { path } = splitTarget(req.url ?? '/');
    if (probes.has(path)) return false;
    const id = newId();
    const body = `${this.#start},"instance":${JSON.stringify(path)},"request_id":"${id}"}`;
    const length = String(Buffer.byteLength(body));
    res.writeHead(inFlight.refusal.status, [...this.#head, 'X-Request-Id', id, 'Content-Length', length]);
    res.end(req.method === 'HEAD' ? undefined : body);
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
