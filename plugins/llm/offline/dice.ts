import { createHash } from 'node:crypto';

/** Numbers that look random and are the same for the same prompt: an answer can be asked for again. */
export interface Dice {
  /** From 0, below 1. */
  roll(): number;
  /** A whole number, both bounds included. */
  between(low: number, high: number): number;
  pick<T>(from: readonly T[]): T;
}

const UINT32 = 2 ** 32;

/** Dice loaded by a text. */
export function diceFor(text: string): Dice {
  let block = createHash('sha256').update(text).digest();
  let used = 0;
  const roll = (): number => {
    if (used === block.length) {
      block = createHash('sha256').update(block).digest();
      used = 0;
    }
    used += 4;
    return block.readUInt32BE(used - 4) / UINT32;
  };
  const between = (low: number, high: number): number => low + Math.floor(roll() * (high - low + 1));
  return { roll, between, pick: (from) => from[between(0, from.length - 1)]! };
}
