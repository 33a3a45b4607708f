import { isUtf8 } from 'node:buffer';

const MAX_DEPTH = 64;
const QUOTE = 34;
const BACKSLASH = 92;
/**
 * Escapes of NUL and of surrogates, and numbers long enough to overflow: only then every value is looked at. Digits are
 * counted from the first of a number alone, else each of 299 would be counted again from every one of them.
 */
const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])|[eE]\+?\d{3}|(?<!\d)\d{300}/;

const UNKEEPABLE = /\0|\p{Surrogate}/u;

/** Whether a media type says JSON: `application/json`, `application/problem+json`. */
export function isJsonType(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
}

/** Parses an answer that must be JSON, bounded in depth, of values that can be kept and given back unchanged. */
export function readJson(body: Buffer): { readonly value: unknown } | { readonly fault: string } {
  if (!isUtf8(body)) return { fault: 'it is not UTF-8.' };
  const text = withoutMark(body.toString('utf8'));
  if (isDeeperThan(MAX_DEPTH, text))
    return { fault: `its JSON is nested more than ${MAX_DEPTH} levels deep.` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'it says that it is JSON, and is not.' };
  }
  if (SUSPICIOUS.test(text) && !canBeKept(value)) {
    return { fault: 'it has a NUL character, half of a surrogate pair, or a number that is too large.' };
  }
  return { value };
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Counts brackets outside of strings; `JSON.parse` takes any depth, and `JSON.stringify` does not. */
function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return false;
}

/** The place of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote;
  }
  return text.length;
}

function canBeKept(value: unknown): boolean {
  if (typeof value === 'string') return !UNKEEPABLE.test(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(canBeKept);
  return Object.entries(value).every(([key, member]) => canBeKept(key) && canBeKept(member));
}
