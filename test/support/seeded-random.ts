/** Reproducible randomness for tests (mulberry32). */
export function seededRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const chance = (share: number): boolean => next() < share;
  const below = (bound: number): number => Math.floor(next() * bound);
  return { next, chance, below, pick: <T>(from: readonly T[]): T => from[below(from.length)]! };
}

export type SeededRandom = ReturnType<typeof seededRandom>;
