import type { ParameterSpec } from '../contract.ts';
import { brokenBound } from '../schema/bounds.ts';
import { canonicalText } from '../schema/json.ts';
import { isOfType, typeNamed } from './types.ts';

/** What bounds apply to: the value of a number, and the length of a string or an array. */
function measure(value: unknown): { size: number; of: string } | undefined {
  if (typeof value === 'number') return { size: value, of: '' };
  if (typeof value === 'string') return { size: charactersIn(value), of: ' characters long' };
  return Array.isArray(value) ? { size: value.length, of: ' items long' } : undefined;
}

/** Counts code points without a list of them, which would be slow and large for the longest texts. */
function charactersIn(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at))) pairs += 1;
  }
  return text.length - pairs;
}

const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00;
const isLow = (code: number) => code >= 0xdc00 && code < 0xe000;

/** Whether a value is allowed. Allowed values are small, so a large value is not compared with each. */
function isAmong(value: unknown, allowed: readonly unknown[]): boolean {
  if (value === null || typeof value !== 'object') return allowed.includes(value);
  if (brokenBound(value) !== undefined) return false;
  const text = canonicalText(value);
  return allowed.some((one) => canonicalText(one) === text);
}

function brokenBounds(value: unknown, { min, max }: ParameterSpec): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const measured = measure(value);
  if (measured === undefined) return undefined;
  if (typeof min === 'number' && measured.size < min) return `must be at least ${min}${measured.of}.`;
  if (typeof max === 'number' && measured.size > max) return `must be at most ${max}${measured.of}.`;
  return undefined;
}

/** Describes what is wrong with the value of a parameter; `undefined` when it is valid. */
export function brokenValue(value: unknown, spec: ParameterSpec): string | undefined {
  const type = spec.type === undefined ? undefined : typeNamed(spec.type);
  if (type !== undefined && !isOfType(value, type)) return `must be of the type ${type}.`;
  const allowed = spec['enum'];
  if (Array.isArray(allowed) && !isAmong(value, allowed)) {
    return `must be one of ${JSON.stringify(allowed).slice(1, 200).replace(/\]$/, '')}.`;
  }
  return brokenBounds(value, spec);
}
