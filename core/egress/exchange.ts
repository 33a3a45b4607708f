import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { AnswerMemory, Gathering } from './answer-memory.ts';
import { BodyCollector } from '../support/body-collector.ts';
import { setDeadline } from '../support/deadline.ts';
import { onAbort } from '../support/on-abort.ts';
import { OutboundError, type AnswerHolder, type OutboundResponse } from './egress.ts';
import { failureOf, refusedAnswer } from './failures.ts';
import { NOT_BEGUN, type Connections, type Lane, type Passing } from './lane.ts';

/** What to send, and the bounds within which the answer must come. */
export interface ExchangeRequest {
  /** The whole address. */
  readonly url: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** From when it is begun. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly onBegin?: (() => void) | undefined;
  /** For whom the answer is held when it came. */
  readonly holder?: AnswerHolder | undefined;
  /** Whether a redirect is an answer (to servers of the operator) or a fault. Never followed either way. */
  readonly redirects: 'answer' | 'fault';
}

const ENCODING = 'accept-encoding';
const MAX_HEADERS = 200;
const MAX_INTERIM_ANSWERS = 8;

/** Sends one request and gathers the whole answer. Throws `OutboundError`. */
export function exchange(
  lane: Lane,
  memory: AnswerMemory,
  request: ExchangeRequest,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(request, lane, memory, resolve, reject);
    if (!handler.isOver) lane.enter(handler);
  });
}

/** Names and values in turn: a copy of the object would have a shape of its own, which V8 keeps until a full collection. */
function linesOf(headers: Readonly<Record<string, string>>): string[] {
  const lines = [ENCODING, 'identity'];
  for (const name in headers) if (name.toLowerCase() !== ENCODING) lines.push(name, headers[name]!);
  return lines;
}

class ExchangeHandler implements Dispatcher.DispatchHandler, Gathering, Passing {
  private readonly request: ExchangeRequest;
  private readonly lane: Lane;
  private readonly memory: AnswerMemory;
  private readonly resolve: (response: OutboundResponse) => void;
  private readonly reject: (error: OutboundError) => void;
  private readonly body: BodyCollector;
  private callOff: (() => void) | undefined;
  private readonly endListening: (() => void) | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private interim = 0;
  private headers: Readonly<Record<string, string>> = {};
  round = NOT_BEGUN;
  isOver = false;

  constructor(
    request: ExchangeRequest,
    lane: Lane,
    memory: AnswerMemory,
    resolve: (response: OutboundResponse) => void,
    reject: (error: OutboundError) => void,
  ) {
    this.request = request;
    this.lane = lane;
    this.memory = memory;
    this.resolve = resolve;
    this.reject = reject;
    this.body = new BodyCollector(request.maxBytes, memory.blocks);
    const { signal } = request;
    this.endListening = signal && onAbort(signal, () => this.fail(givenUp()));
    if (signal?.aborted === true) this.fail(givenUp());
  }

  get source(): string {
    return this.request.url;
  }

  begin(connections: Connections): void {
    const { path, body, headers, timeoutMs } = this.request;
    const method = this.request.method as Dispatcher.HttpMethod;
    this.callOff = setDeadline(timeoutMs, () => this.fail(tooLate(timeoutMs)));
    this.request.onBegin?.();
    connections.dispatch({ path, method, headers: linesOf(headers), body: body ?? null }, this);
  }

  /** The request may have been given up while its connection was made. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) controller.abort(new Error('The exchange is over.'));
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) {
      this.interim += 1;
      if (this.interim > MAX_INTERIM_ANSWERS)
        this.fail(refusedAnswer('It sends interim answers without end.'));
      return;
    }
    this.status = status;
    const fault = faultOf(status, headers, this.request);
    if (fault !== undefined) this.fail(refusedAnswer(fault));
    else this.headers = isFlat(headers) ? headers : flattened(headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return;
    if (this.body.add(chunk)) this.memory.hold(this, this.body.length);
    else this.fail(refusedAnswer(tooLarge(this.request.maxBytes)));
  }

  onResponseEnd(): void {
    if (this.isOver) return;
    const body = this.body.body();
    if (this.request.holder) this.memory.held.hold(this.request.holder, body.length);
    this.end();
    this.resolve({ status: this.status, headers: this.headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(failureOf(error, { isSent: this.controller !== undefined, isAnswered: this.status !== 0 }));
  }

  pause(): void {
    this.controller?.pause();
  }

  /** Later: another answer may be in the hands of the parser, which takes one at a time. */
  resume(): void {
    setImmediate(() => {
      if (!this.isOver) this.controller?.resume();
    });
  }

  giveUp(): void {
    this.fail(new OutboundError('timeout', HELD_UP));
  }

  private fail(error: OutboundError): void {
    if (!this.end()) return;
    this.controller?.abort(error);
    this.reject(error);
  }

  private end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.callOff?.();
    this.lane.leave(this);
    this.memory.release(this);
    this.body.release();
    this.endListening?.();
    return true;
  }
}

const HELD_UP =
  'The answer of the server stood still, or came slowly, while others waited for the memory that it held. Let it come ' +
  'faster and without long pauses, or ask the operator about egress.answer_memory.';

function givenUp(): OutboundError {
  return new OutboundError('aborted', 'The request was given up before an answer came.');
}

function tooLate(timeoutMs: number): OutboundError {
  return new OutboundError('timeout', `The server did not answer in full within ${timeoutMs / 1000} s.`);
}

function tooLarge(maxBytes: number): string {
  return `It is larger than the limit of ${maxBytes} bytes.`;
}

function faultOf(status: number, headers: IncomingHttpHeaders, request: ExchangeRequest): string | undefined {
  if (status >= 300 && status < 400 && request.redirects === 'fault') {
    return 'It is a redirect, and redirects are not followed. Use the address that it leads to.';
  }
  if (Object.keys(headers).length > MAX_HEADERS) return 'It has too many headers.';
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return 'It is compressed although `Accept-Encoding: identity` was asked for.';
  }
  return Number(headers['content-length']) > request.maxBytes ? tooLarge(request.maxBytes) : undefined;
}

/** No header was sent twice; most answers are so, and need no copy. */
function isFlat(headers: IncomingHttpHeaders): headers is Record<string, string> {
  for (const name in headers) if (typeof headers[name] !== 'string') return false;
  return true;
}

function flattened(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
