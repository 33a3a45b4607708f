import { isDeepStrictEqual } from 'node:util';
import type { ParameterSpec } from '../contract.ts';
import { isOfType, typeNamed } from './types.ts';

/** What bounds are of: the value of a number, the length of a string or an array. */
function measure(value: unknown): { size: number; of: string } | undefined {
  if (typeof value === 'number') return { size: value, of: '' };
  if (typeof value === 'string') return { size: [...value].length, of: ' characters long' };
  return Array.isArray(value) ? { size: value.length, of: ' items long' } : undefined;
}

function brokenBounds(value: unknown, { min, max }: ParameterSpec): string | undefined {
  const measured = measure(value);
  if (measured === undefined) return undefined;
  if (typeof min === 'number' && measured.size < min) return `must be at least ${min}${measured.of}.`;
  if (typeof max === 'number' && measured.size > max) return `must be at most ${max}${measured.of}.`;
  return undefined;
}

/** Says what is wrong with the value of a parameter, or nothing. */
export function brokenValue(value: unknown, spec: ParameterSpec): string | undefined {
  const type = spec.type === undefined ? undefined : typeNamed(spec.type);
  if (type !== undefined && !isOfType(value, type)) return `must be of the type ${type}.`;
  const allowed = spec['enum'];
  if (Array.isArray(allowed) && !allowed.some((one) => isDeepStrictEqual(one, value))) {
    return `must be one of ${JSON.stringify(allowed).slice(1, 200).replace(/\]$/, '')}.`;
  }
  return brokenBounds(value, spec);
}
