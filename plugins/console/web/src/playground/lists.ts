/** Lists as texts that people can edit, and back. What is not a number stays a text, so that the service can refuse it by name. */

import { plainText } from '../parts/plain-text.ts';

const number = (typed: string): unknown => {
  const value = Number(typed);
  return typed !== '' && Number.isFinite(value) ? value : typed;
};

export function showNumbers(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : plainText(value);
}

export function parseNumbers(typed: string): unknown {
  const parts = typed.split(/[\s,;]+/).filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.map(number);
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
      .map(number),
  );
}

export function showLines(value: unknown): string {
  return Array.isArray(value) ? value.join('\n') : plainText(value);
}

export function parseLines(typed: string): unknown {
  const lines = typed.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 0 ? undefined : lines;
}
