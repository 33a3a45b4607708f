import type { Dice } from './dice.ts';

type Range = readonly [low: number, high: number];

/** Code points as ranges, both bounds included: a class of many characters costs no more than one of few. */
export type Characters = readonly Range[];

/** Halves of characters, which make no text by themselves. */
const SURROGATES: Range = [0xd800, 0xdfff];

export function charactersOf(letters: string): Characters {
  return [...letters].map((letter) => [letter.codePointAt(0)!, letter.codePointAt(0)!]);
}

/** From one code point to another, without those that are left out; empty when the second is the lower. */
export function charactersBetween(low: number, high: number, leftOut: Characters = []): Characters {
  const ranges: Range[] = [];
  let from = low;
  for (const [first, last] of [...leftOut, SURROGATES].toSorted((one, other) => one[0] - other[0])) {
    ranges.push([from, Math.min(high, first - 1)]);
    from = Math.max(from, last + 1);
  }
  return [...ranges, [from, high] as const].filter(([first, last]) => first <= last);
}

/** One of them, each as likely as the others. There must be one. */
export function drawnFrom(characters: Characters, dice: Dice): string {
  const count = characters.reduce((sum, [low, high]) => sum + high - low + 1, 0);
  let rest = dice.between(0, count - 1);
  const [low] = characters.find(([from, until]) => {
    const isHere = rest <= until - from;
    if (!isHere) rest -= until - from + 1;
    return isHere;
  })!;
  return String.fromCodePoint(low + rest);
}
