/** How alike sentences are: words in common, divided by the logarithms of their lengths (Mihalcea and Tarau, 2004). */
export function overlaps(sentences: readonly (readonly string[])[]): Float64Array[] {
  const sets = sentences.map((words) => new Set(words));
  const weights = sentences.map(() => new Float64Array(sentences.length));
  for (let i = 0; i < sentences.length; i++) {
    for (let j = 0; j < i; j++) weights[i]![j] = weights[j]![i] = overlap(sets[i]!, sets[j]!);
  }
  return weights;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  const lengths = Math.log(a.size) + Math.log(b.size);
  return common > 0 && lengths > 0 ? common / lengths : 0;
}
