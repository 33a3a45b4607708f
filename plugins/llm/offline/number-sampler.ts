import type { JsonObject } from '../json.ts';
import type { Dice } from './dice.ts';

type Range = readonly [low: number, high: number];

/** What people expect of fields that are called so. */
const USUAL: readonly (readonly [names: RegExp, range: Range])[] = [
  [/age/i, [18, 80]],
  [/year/i, [1990, 2030]],
  [/month/i, [1, 12]],
  [/day/i, [1, 28]],
  [/lat/i, [-60, 60]],
  [/lon|lng/i, [-170, 170]],
  [/temp/i, [-10, 35]],
  [/price|amount|cost|salary|income/i, [10, 5000]],
  [/percent|score|humidity/i, [0, 100]],
  [/ratio|prob|confidence/i, [0, 1]],
  [/count|quantity|number|size|^n$|^k$/i, [1, 20]],
];

const USUAL_STEP = 0.01;

/** A number within the bounds of a schema; where there are none, within what its name suggests. */
export function sampleNumber(rules: JsonObject, name: string, dice: Dice): number {
  const step = numberIn(rules['multipleOf']) ?? USUAL_STEP;
  const [low, high] = rangeOf(rules, name, step);
  const first = Math.ceil(tidy(low / step));
  const last = Math.floor(tidy(high / step));
  if (last < first) return low === high ? low : low + (high - low) / 2;
  return tidy(dice.between(first, last) * step);
}

function rangeOf(rules: JsonObject, name: string, step: number): Range {
  const low = numberIn(rules['minimum']) ?? after(rules['exclusiveMinimum'], step);
  const high = numberIn(rules['maximum']) ?? after(rules['exclusiveMaximum'], -step);
  const [usualLow, usualHigh] = USUAL.find(([names]) => names.test(name))?.[1] ?? [0, 100];
  const from = low ?? Math.min(usualLow, high ?? usualLow);
  return [from, high ?? Math.max(usualHigh, from + usualHigh - usualLow)];
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The next value inside an exclusive bound. */
function after(bound: unknown, step: number): number | undefined {
  const value = numberIn(bound);
  return value === undefined ? undefined : value + step;
}

/** Without the dust of binary fractions: 0.30000000000000004 is 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
