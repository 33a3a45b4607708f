import { showNumber, text } from '../texts/text.ts';

/** A number as people read it: with its groups, and with four digits where it is small. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size < 1e-4 && size > 0)) return value.toPrecision(4);
  return Number.isInteger(value) || size >= 1000 ? showNumber(value) : String(Number(value.toPrecision(4)));
}

/** A value within a cell: a long one is cut. */
export function showValue(value: unknown): string {
  if (typeof value === 'number') return shortNumber(value);
  if (typeof value === 'boolean') return value ? text.results.yes : text.results.no;
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value.length > 400 ? `${value.slice(0, 400)}…` : value;
  if (Array.isArray(value)) return listed(value, value.length, showMember);
  const entries = Object.entries(value);
  return listed(entries, entries.length, ([name, each]) => `${name}: ${showMember(each)}`);
}

function listed<T>(items: readonly T[], count: number, show: (item: T) => string): string {
  const shown = items.slice(0, 20).map(show).join(', ');
  return count > 20 ? `${shown}, …` : shown;
}

function showMember(value: unknown): string {
  return typeof value === 'object' && value !== null ? '…' : showValue(value);
}

/** The name of a member in words. */
export function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** A number of bytes: `12.4 KB`. */
export function showBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${showNumber(Number((bytes / 1000 ** power).toPrecision(3)))} ${UNITS[power]}`;
}
