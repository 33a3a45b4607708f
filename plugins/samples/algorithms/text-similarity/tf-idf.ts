/** Words and what they weigh in a text; the squares of the weights add up to 1. */
export type Vector = ReadonlyMap<string, number>;

/**
 * A vector for each text: occurrences times `ln((1 + texts) / (1 + texts with the word)) + 1`, scaled to length 1.
 * A text without words has an empty vector.
 */
export function tfIdf(texts: readonly (readonly string[])[]): Vector[] {
  const spread = new Map<string, number>();
  for (const words of texts) for (const word of new Set(words)) spread.set(word, (spread.get(word) ?? 0) + 1);
  const rarity = (word: string) => Math.log((1 + texts.length) / (1 + spread.get(word)!)) + 1;
  return texts.map((words) => unit(weighed(words, rarity)));
}

/** The cosine of the angle between two vectors: 0 to 1. */
export function cosine(a: Vector, b: Vector): number {
  let sum = 0;
  for (const [word, weight] of a) sum += weight * (b.get(word) ?? 0);
  return Math.min(1, sum);
}

function weighed(words: readonly string[], rarity: (word: string) => number): Map<string, number> {
  const weights = new Map<string, number>();
  for (const word of words) weights.set(word, (weights.get(word) ?? 0) + rarity(word));
  return weights;
}

function unit(weights: ReadonlyMap<string, number>): Vector {
  const length = Math.hypot(...weights.values());
  return new Map([...weights].map(([word, weight]) => [word, weight / length]));
}
