import { withoutSecret } from '../../../core/index.ts';
import { asObject, type JsonObject } from '../json.ts';

const LONGEST = 200;
const MOST_WORDS = 3;
const DEEPEST = 4;
const TOKEN_LIKE = /(?:\b(?:Bearer\s+|sk-|key-|AIza|hf_|gsk_)|[?&]key=)[\w.~+/-]{6,}/gi;
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f]+/g;

/** Where servers put their words: OpenAI in `error.message`, FastAPI in `detail[].msg`, others in one of the rest. */
const NAMES_OF_WORDS = ['error', 'errors', 'message', 'detail', 'msg', 'reason', 'code', 'type'];
const NAMES_OF_STATUS = ['code', 'status', 'status_code', 'statusCode', 'type'];
const BUSY_WORDS = /rate.?limit|too.?many.?requests|overloaded|resource.?exhausted|\bquota/i;
const TOO_MANY_REQUESTS = 429;

/** What a server says instead of an answer. */
export interface Complaint {
  readonly words: string;
  /** The status that the body names, whatever the status of the response; 429 where words say so. */
  readonly status: number | undefined;
}

/** Reads an error in any known form, a list of them too. `undefined` when there are no words. */
export function complaintIn(answer: JsonObject): Complaint | undefined {
  const words = wordsIn(answer);
  return words === undefined ? undefined : { words, status: statusIn(answer, words) };
}

/**
 * The words as a sentence to append: short, on one line, without the key in any form in which a server may echo it. Empty
 * without words.
 */
export function quoted(words: string, apiKey: string): string {
  const short = withoutSecret(words.replace(UNPRINTABLE, ' '), apiKey).replace(TOKEN_LIKE, '***').trim();
  return short === '' ? '' : ` It says: "${short.length > LONGEST ? `${short.slice(0, LONGEST)}…` : short}"`;
}

function wordsIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (depth === DEEPEST) return undefined;
  if (Array.isArray(value)) {
    const all = value.slice(0, MOST_WORDS).map((one) => wordsIn(one, depth + 1));
    return all.filter((words) => words !== undefined).join('; ') || undefined;
  }
  const fields = asObject(value) ?? {};
  return first(NAMES_OF_WORDS, (name) => wordsIn(fields[name], depth + 1));
}

function statusIn(answer: JsonObject, words: string): number | undefined {
  const errors = [answer['error'], answer['errors'], answer['detail'], answer].map(firstObject);
  const named = errors.flatMap((fields) => NAMES_OF_STATUS.map((name) => fields[name]));
  const status = named.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code <= 599);
  if (status !== undefined) return status;
  const isBusy = [...named, words].some((text) => typeof text === 'string' && BUSY_WORDS.test(text));
  return isBusy ? TOO_MANY_REQUESTS : undefined;
}

function firstObject(value: unknown): JsonObject {
  return asObject(Array.isArray(value) ? value[0] : value) ?? {};
}

function first<T>(names: readonly string[], read: (name: string) => T | undefined): T | undefined {
  for (const name of names) {
    const value = read(name);
    if (value !== undefined) return value;
  }
  return undefined;
}
