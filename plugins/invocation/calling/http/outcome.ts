import { isUtf8 } from 'node:buffer';
import { type OutboundResponse, excessOf } from '../../../../core/index.ts';
import { outcomeOfAnswer, type CallOutcome } from '../../contract.ts';
import { findingIn } from './json-findings.ts';
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

/**
 * Matches escapes of NUL and surrogates, and numbers that may lose digits. Only text that matches is checked value by
 * value. The lookbehind keeps the time linear: digits are counted from the first digit of a number only.
 */
const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])|[eE][+-]?\d{3}|(?<![\d.])(?:\d{16}|[\d.]{17})/;

/** Whether a media type is JSON: `application/json`, `application/problem+json`. */
export function isJsonType(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
}

/**
 * Parses an answer that must be JSON, within the limits for `maxBytes`, whose values can be stored and returned unchanged. A `fault` is the
 * second half of a sentence and names the JSON pointer.
 */
export function readJson(
  body: Buffer,
  maxBytes: number,
): { readonly value: unknown } | { readonly fault: string } {
  if (!isUtf8(body)) return { fault: 'it is not UTF-8.' };
  const text = withoutMark(body.toString('utf8'));
  const excess = excessOf(text, maxBytes);
  if (excess !== undefined) return { fault: `its JSON ${excess}.` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: `it claims to be JSON but is not${reasonIn(text)}.` };
  }
  const finding = SUSPICIOUS.test(text) ? findingIn(text) : undefined;
  return finding === undefined ? { value } : { fault: `${finding}.` };
}

function reasonIn(text: string): string {
  const finding = findingIn(text);
  return finding === undefined ? '' : `: ${finding}`;
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
