import { text } from '../texts/text.ts';
import { isObject } from './fields.ts';
import { losesDigits } from './lists.ts';
import type { Values } from './values.ts';

/** The values that a text holds, or why it holds none. */
export interface ReadValues {
  readonly values?: Values;
  readonly fault?: string;
}

/** A place in a text; both begin with 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export function readValues(typed: string, faultAt: () => Place | undefined): ReadValues {
  let value: unknown;
  try {
    value = JSON.parse(typed);
  } catch {
    const place = faultAt();
    return {
      fault: place ? text.playground.brokenJsonAt(place.line, place.column) : text.playground.brokenJson,
    };
  }
  const [long] = longNumbersIn(typed);
  if (long) return { fault: text.form.losesDigits(long.written) };
  if (!isObject(value)) return { fault: text.playground.notAnObject };
  const { input_data: input, params = {} } = value;
  return isObject(input) && isObject(params)
    ? { values: { input, params } }
    : { fault: text.playground.notAnObject };
}

interface LongNumber {
  readonly written: string;
  readonly from: number;
}

/** Whole numbers whose last digits would be lost; `9007199254740993` would be sent as `…992`. */
export function longNumbersIn(json: string): readonly LongNumber[] {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)]
    .map((match) => ({ written: match[0], from: match.index }))
    .filter(({ written }) => losesDigits(written));
}
