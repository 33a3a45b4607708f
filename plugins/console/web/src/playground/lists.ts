/** Lists as texts that people can edit, and back. What is not a number stays a text, so that the service can refuse it by name. */

import { plainText } from '../parts/plain-text.ts';

/** A number, or the text where it is none, or where it is a whole number whose last digits would be lost. */
export function readNumber(typed: string): unknown {
  const written = typed.trim();
  const value = Number(written);
  if (written === '' || !Number.isFinite(value) || /^[-+]?0[xob]/i.test(written)) return typed;
  return losesDigits(written) ? typed : value;
}

/** Whether a whole number has more digits than a number of JavaScript and of the service keeps. */
export function losesDigits(written: string): boolean {
  return /^-?\d{16,}$/.test(written) && BigInt(written) !== BigInt(Number(written));
}

export function showNumbers(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : plainText(value);
}

export function parseNumbers(typed: string): unknown {
  const parts = typed.split(/[\s,;]+/).filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.map(readNumber);
}

export function showRows(value: unknown): string {
  if (!Array.isArray(value)) return plainText(value);
  return value.map((row) => (Array.isArray(row) ? row.join(', ') : plainText(row))).join('\n');
}

export function parseRows(typed: string): unknown {
  const lines = typed.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  return lines.map((line) =>
    line
      .split(/[,;\t]|\s+/)
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(readNumber),
  );
}

export function showLines(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : plainText(value);
}

export function parseLines(typed: string): unknown {
  const lines = typed.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? undefined : lines;
}

export function showJson(value: unknown): string {
  return typeof value === 'string' || value === undefined ? (value ?? '') : JSON.stringify(value, null, 2);
}

/** What is no JSON yet is sent as a text, which the schema then refuses with a reason. */
export function parseJson(typed: string): unknown {
  if (typed.trim() === '') return undefined;
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return typed;
  }
}
