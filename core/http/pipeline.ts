import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PermissionDecider } from '../auth/permission.ts';
import { authenticate } from '../auth/authenticate.ts';
import { authorise } from '../auth/authorise.ts';
import { anonymous, type Principal } from '../auth/principal.ts';
import type { CredentialVerifier } from '../auth/verifier.ts';
import type { Problem } from '../errors/problem.ts';
import { MethodNotAllowed, RouteNotFound } from '../errors/problems.ts';
import type { Clock } from '../support/clock.ts';
import { answerOf, type Answer } from './answer.ts';
import { ClientGone, demandBody, type BodyReader } from './body-reader.ts';
import type { ClientAddress } from './client-address.ts';
import type { Cors } from './cors.ts';
import { HttpRequest } from './http-request.ts';
import { NOWHERE, type InFlight, type Occupant } from './in-flight.ts';
import { demandJson, parseJson } from './json/body.ts';
import { OneATurn } from './one-a-turn.ts';
import type { Operation } from './routing/operation.ts';
import { asProblem, problemAnswer } from './problem-document.ts';
import { isThenable } from './thenable.ts';
import type { RequestLog } from './request-log.ts';
import { normalizePath, splitTarget } from './routing/request-path.ts';
import type { RouteMatch, RouteTable } from './routing/route-table.ts';
import { send } from './sending.ts';

/** What the pipeline works with; one for the life of the server. */
export interface PipelineParts {
  readonly table: RouteTable;
  readonly basePath: string;
  readonly verifiers: readonly CredentialVerifier[];
  readonly deciders: readonly PermissionDecider[];
  readonly inFlight: InFlight;
  readonly bodies: BodyReader;
  readonly cors: Cors;
  readonly log: RequestLog;
  readonly clock: Clock;
  readonly address: ClientAddress;
  /** True when clients should open their next connection elsewhere. */
  readonly isLeaving: () => boolean;
}

type PathValues = Readonly<Record<string, string>>;

/** One request on its way; what is learned on the way is kept for the log. */
interface Passage extends Occupant {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly request: HttpRequest;
  operation: Operation | undefined;
  principal: Principal;
  bodySize: number;
}

/**
 * The way of every request, as plain functions that are called in turn: route, limit, authenticate, authorise, read and
 * check the input, handle, write. A chain of middlewares would cost a third of the throughput.
 */
export class Pipeline {
  readonly #parts: PipelineParts;
  /** Bodies of those whom nobody knows: hundreds of logins at once would hold up everybody else for as long as they all take. */
  readonly #anonymousBodies = new OneATurn();

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /** Answers a request; never throws. */
  async run(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { clock, address, log, bodies } = this.#parts;
    const started = clock.elapsed();
    const request = new HttpRequest(req, address);
    const passage: Passage = {
      req,
      res,
      request,
      operation: undefined,
      principal: anonymous,
      bodySize: 0,
      slice: NOWHERE,
    };
    let status: number;
    try {
      status = this.#send(passage, await this.#answer(passage));
    } catch (error) {
      status = this.#fail(passage, error);
    } finally {
      this.#parts.inFlight.leave(passage);
      bodies.release(passage.bodySize);
    }
    const user = passage.principal.kind === 'user' ? passage.principal.userId : undefined;
    log.answered(request, passage.operation, status, started, user);
  }

  async #answer(passage: Passage): Promise<Answer> {
    const { req, request } = passage;
    const { table } = this.#parts;
    const target = splitTarget(req.url ?? '/');
    const path = normalizePath(target.path);
    const match = path === undefined ? unknownRoute : table.match(request.method, path);
    if (match.kind !== 'found') return this.#nowhere(req, match, target.path);
    const { operation } = match;
    passage.operation = operation;
    if (!operation.probe) this.#parts.inFlight.enter(passage);
    const admitted = this.#admit(passage, operation, match.path);
    if (admitted) await admitted;
    const query = operation.readQuery(target.query);
    let body: unknown;
    if (operation.checkBody) {
      const sent = await this.#readBody(passage, operation);
      // It may have taken long to arrive, and its sender may have lost what he had when it began.
      const stillAdmitted = this.#admit(passage, operation, match.path);
      if (stillAdmitted) await stillAdmitted;
      body = operation.checkBody(sent);
    }
    if (operation.queues) this.#parts.inFlight.leave(passage);
    const result = operation.handle({ path: match.path, query, body, principal: passage.principal, request });
    return answerOf(isThenable(result) ? await result : result, operation);
  }

  /** Finds out who asks, and lets him pass or throws; without a promise where nobody needs to be waited for. */
  #admit(passage: Passage, operation: Operation, path: PathValues): void | Promise<void> {
    if (operation.access === 'anonymous') return;
    const { verifiers, deciders } = this.#parts;
    const pass = (who: Principal): void | Promise<void> => {
      passage.principal = who;
      return authorise(operation, who, path, deciders);
    };
    const who = authenticate(verifiers, passage.request);
    return isThenable(who) ? who.then(pass) : pass(who);
  }

  async #readBody(passage: Passage, operation: Operation): Promise<unknown> {
    const { req } = passage;
    demandBody(req);
    demandJson(req);
    this.#parts.inFlight.leave(passage);
    if (operation.access === 'anonymous') await this.#anonymousBodies.next();
    const bytes = await this.#parts.bodies.read(req, operation);
    passage.bodySize = bytes.length;
    if (!operation.probe) this.#parts.inFlight.enter(passage);
    return parseJson(bytes);
  }

  #nowhere(req: IncomingMessage, match: Exclude<RouteMatch, { kind: 'found' }>, path: string): Answer {
    if (match.kind === 'unknown') throw this.#unknown(path);
    const allow = this.#parts.cors.isOff ? match.allow : [...match.allow, 'OPTIONS'];
    const preflight = this.#parts.cors.preflight(req, allow);
    if (preflight) return { status: 204, headers: preflight, contentType: 'text/plain', body: '' };
    throw MethodNotAllowed(`${path.slice(0, 200)} knows ${allow.join(', ')}, not ${req.method}.`, {
      headers: { Allow: allow.join(', ') },
    });
  }

  #unknown(path: string): Problem {
    const { basePath, table } = this.#parts;
    const document = `${basePath}/openapi.json`;
    const listed = table.match('GET', document).kind === 'found' ? `; ${document} lists them` : '';
    return RouteNotFound(
      `Nothing is served at ${path.slice(0, 200)}. Operations are below ${basePath}${listed}.`,
    );
  }

  /** Answers the status that was sent, for the log. */
  #send({ req, res, request, operation, principal }: Passage, answer: Answer): number {
    const { cors, isLeaving, log } = this.#parts;
    cors.mark(req, res);
    const isSent = send(req, res, answer, {
      requestId: request.id,
      isLast: isLeaving(),
      isPersonal: principal.kind === 'user',
      onBroken: (error) => log.failed(request, operation, error),
    });
    return isSent ? answer.status : CLIENT_GONE;
  }

  /** A client that went away is nobody's fault, and whatever failed because of it is not reported. */
  #fail(passage: Passage, error: unknown): number {
    const { req, res, request, operation } = passage;
    if (error instanceof ClientGone || res.destroyed) return CLIENT_GONE;
    this.#parts.log.failed(request, operation, error);
    return this.#send(passage, problemAnswer(asProblem(error), request.id, splitTarget(req.url ?? '/').path));
  }
}

/** What the log shows for a client that left before its answer; nginx's number for it. */
const CLIENT_GONE = 499;

const unknownRoute: RouteMatch = { kind: 'unknown' };
