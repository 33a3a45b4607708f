import type { OutboundResponse } from '../../../../core/index.ts';
import { outcomeOfAnswer, type CallOutcome } from '../../contract.ts';
import { isJsonType, readJson } from './json-answer.ts';
import { excerptOf, refusalText } from './refusal-text.ts';

/** Maps the answer of an endpoint to the outcome of the call. */
export function outcomeOf(response: OutboundResponse, maxBytes: number, seconds: number): CallOutcome {
  const outcome = byStatus(response, maxBytes, seconds);
  return outcome.ok
    ? outcome
    : { ...outcome, answered: { status: response.status, text: excerptOf(response) } };
}

function byStatus(response: OutboundResponse, maxBytes: number, seconds: number): CallOutcome {
  const { status, retryAfter } = response;
  if (status >= 200 && status < 300) return successOf(response, maxBytes, seconds);
  if (status >= 400 && status < 500) {
    const text = refusalText(response);
    const refusal = `The endpoint refused the call with status ${status}${text === '' ? '.' : `: ${text}`}`;
    const message = retryAfter === undefined ? refusal : `${sentence(refusal)} Try again in ${retryAfter} s.`;
    return { ok: false, code: 'upstream_rejected', message, seconds, retryAfter };
  }
  if (status >= 500) {
    const when = retryAfter === undefined ? 'later' : `in ${retryAfter} s`;
    const message = `The endpoint failed with status ${status}. Try again ${when}, or tell a manager of the algorithm.`;
    return { ok: false, code: 'upstream_error', message, seconds, retryAfter };
  }
  return unusable(`the status ${status} is neither success nor failure.`, seconds);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Statuses whose answers have no content, whatever the headers announce: 204 No Content and 205 Reset Content. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205]);

/** A JSON object is the output; other JSON is `{result}`; nothing is `{}`; anything else is stored as base64. */
function successOf(
  { status, headers, body }: OutboundResponse,
  maxBytes: number,
  seconds: number,
): CallOutcome {
  if (EMPTY_STATUSES.has(status)) return { ok: true, output: {}, seconds };
  const type = headers['content-type'];
  if (body.length === 0 && !isJsonType(type)) return { ok: true, output: {}, seconds };
  if (type !== undefined && !isJsonType(type)) return { ok: true, output: binary(type, body), seconds };
  const answer = readJson(body, maxBytes);
  if ('value' in answer) return outcomeOfAnswer(answer.value, seconds);
  if (type === undefined) return { ok: true, output: binary('application/octet-stream', body), seconds };
  return unusable(answer.fault, seconds);
}

function binary(contentType: string, body: Buffer): Readonly<Record<string, unknown>> {
  return { content_type: contentType, data_base64: body.toString('base64') };
}

function unusable(why: string, seconds: number): CallOutcome {
  return {
    ok: false,
    code: 'upstream_bad_response',
    message: `The answer of the endpoint cannot be used: ${why}`,
    seconds,
  };
}
