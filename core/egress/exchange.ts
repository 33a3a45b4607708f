import type { Agent, Dispatcher } from 'undici';
import { systemClock } from '../support/clock.ts';
import { setDeadline } from '../support/deadline.ts';
import type { LimitedRequest, OutboundResponse } from './egress.ts';
import { Ending } from './ending.ts';
import { failureOf, abortedByCaller, refusedAnswer, tooLarge, deadlinePassed } from './failures.ts';
import type { Target } from './guard/target.ts';
import type { LargeAnswers } from './large-answers.ts';
import { readBody } from './read-body.ts';
import { retryAfterOf } from './retry-after.ts';

/** What sends requests and receives answers. */
export interface Client {
  readonly agent: Agent;
  readonly large: LargeAnswers;
  /** Whether a redirect counts as an answer (of a server of the operator) or as a fault. Neither is followed. */
  readonly redirects: 'answer' | 'fault';
  /** What a caller reads when the guard refuses a destination. */
  readonly denied: string;
}

type Head = Omit<OutboundResponse, 'body'>;

const MAX_HEADERS = 200;
const MAX_INTERIM_ANSWERS = 8;
/** The chunks of a body of this size take little memory even when each holds one byte. */
const TINY_BYTES = 4096;
/** Answers with these statuses have no content, whatever their headers announce. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205]);

/**
 * Sends one request and reads the whole answer. An error answer (status 400 and above) whose body cannot be used is
 * returned without one, because its status is enough. Throws `OutboundError`.
 */
export async function exchange(
  client: Client,
  target: Target,
  request: LimitedRequest,
): Promise<OutboundResponse> {
  const { signal, timeoutMs } = request;
  if (signal?.aborted === true) throw abortedByCaller();
  const ending = new Ending();
  const onAbort = (): void => ending.abort(abortedByCaller());
  signal?.addEventListener('abort', onAbort, { once: true });
  const cancelDeadline = setDeadline(timeoutMs, () => ending.abort(deadlinePassed(timeoutMs)));
  let answer: Dispatcher.ResponseData | undefined;
  try {
    // The client ignores the signal while it connects.
    answer = await ending.before(send(client, target, request, ending));
    const { maxBytes, url: source } = request;
    const head = headOf(answer);
    const length = head.headers['content-length'];
    const announced = length === undefined ? undefined : Number(length);
    const fault = faultOf(head, announced, maxBytes, client);
    if (fault !== undefined) throw refusedAnswer(fault);
    if (announced !== undefined && announced <= TINY_BYTES) {
      return { ...head, body: Buffer.from(await answer.body.arrayBuffer()) };
    }
    const limits = { maxBytes, announced, source, large: client.large, ending };
    return { ...head, body: await readBody(answer.body, limits) };
  } catch (error) {
    const failure = failureOf(error as Error, { isAnswered: answer !== undefined, denied: client.denied });
    // Closes the connection when the answer was not read to its end.
    ending.abort(failure);
    if (answer === undefined || answer.statusCode < 400 || failure.failure === 'aborted') throw failure;
    return { ...headOf(answer), body: Buffer.alloc(0) };
  } finally {
    cancelDeadline();
    signal?.removeEventListener('abort', onAbort);
  }
}

function send(
  { agent }: Client,
  { origin, path }: Target,
  { method = 'GET', headers, body }: LimitedRequest,
  ending: Ending,
): Promise<Dispatcher.ResponseData> {
  let interim = 0;
  return agent.request({
    origin,
    path,
    method: method as Dispatcher.HttpMethod,
    headers: { ...headers, 'accept-encoding': 'identity' },
    body: body ?? null,
    signal: ending,
    onInfo: () => {
      interim += 1;
      if (interim > MAX_INTERIM_ANSWERS) ending.abort(refusedAnswer('It sends interim answers without end.'));
    },
  });
}

function faultOf(
  { status, headers }: Head,
  announced: number | undefined,
  maxBytes: number,
  { redirects }: Client,
): string | undefined {
  if (status >= 300 && status < 400 && redirects === 'fault') {
    return 'It is a redirect, and redirects are not followed. Use the address that it leads to.';
  }
  if (Object.keys(headers).length > MAX_HEADERS) return 'It has too many headers.';
  if (isEncoded(headers) && !EMPTY_STATUSES.has(status)) {
    return 'It is compressed although `Accept-Encoding: identity` was asked for.';
  }
  return announced !== undefined && announced > maxBytes ? tooLarge(maxBytes) : undefined;
}

function isEncoded(headers: Head['headers']): boolean {
  const codings = (headers['content-encoding'] ?? '').split(',');
  return codings.some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()));
}

/** Joins headers that were sent several times. */
function headOf({ statusCode, headers }: Dispatcher.ResponseData): Head {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return { status: statusCode, headers: flat, retryAfter: retryAfterOf(flat, () => systemClock.now()) };
}
