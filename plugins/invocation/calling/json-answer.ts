import { isUtf8 } from 'node:buffer';
import { excessOf } from '../../../core/index.ts';

/** An answer may hold ten times the keys of a request: tables often name the columns in every row. */
const limits = { keys: 100_000 };

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

/** Parses an answer that must be JSON, within limits, of values that can be kept and given back unchanged. */
export function readJson(body: Buffer): { readonly value: unknown } | { readonly fault: string } {
  if (!isUtf8(body)) return { fault: 'it is not UTF-8.' };
  const text = withoutMark(body.toString('utf8'));
  const excess = excessOf(text, limits);
  if (excess !== undefined) return { fault: `its JSON ${excess}.` };
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

function canBeKept(value: unknown): boolean {
  if (typeof value === 'string') return !UNKEEPABLE.test(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(canBeKept);
  return Object.entries(value).every(([key, member]) => canBeKept(key) && canBeKept(member));
}
