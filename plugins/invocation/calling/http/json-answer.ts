import { isUtf8 } from 'node:buffer';
import { excessOf } from '../../../../core/index.ts';
import { findingIn } from './json-findings.ts';

/** An answer may hold ten times the keys of a request: tables often name the columns in every row. */
const limits = { keys: 100_000 };

/**
 * Escapes of NUL and of surrogates, and numbers of so many digits that some may be lost: only then is every value looked at.
 * Digits are counted from the first of a number only, else a run of them would be counted again from each digit.
 */
const SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])|[eE]\+?\d{3}|(?<!\d)\d{16}/;

/** Whether a media type says JSON: `application/json`, `application/problem+json`. */
export function isJsonType(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
}

/**
 * Parses an answer that must be JSON, within limits, of values that can be kept and given back unchanged. A fault is the
 * rest of a sentence that names the place.
 */
export function readJson(body: Buffer): { readonly value: unknown } | { readonly fault: string } {
  if (!isUtf8(body)) return { fault: 'it is not UTF-8.' };
  const text = withoutMark(body.toString('utf8'));
  const excess = excessOf(text, limits);
  if (excess !== undefined) return { fault: `its JSON ${excess}.` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: `it says that it is JSON, and is not${reasonIn(text)}.` };
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
