import { isUtf8 } from 'node:buffer';
import { excessOf } from '../../../../core/index.ts';
import { findingIn } from './json-findings.ts';

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
