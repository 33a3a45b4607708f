/** The median of numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Runs every candidate once in each round, so that a noisy minute hurts all alike. */
export async function interleave(candidates, rounds, measure) {
  const results = new Map(candidates.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const candidate of candidates) results.get(candidate.name).push(await measure(candidate));
  }
  return results;
}

/** A table of medians, with the ratio of each candidate's rate to the rate of the named ones in the same round. */
export function report(results, against) {
  const rows = [...results].map(([name, runs]) => ({
    '': name,
    'req/s': Math.round(median(runs.map(({ perSecond }) => perSecond))),
    'p50 ms': round(median(runs.map(({ p50 }) => p50))),
    'p99 ms': round(median(runs.map(({ p99 }) => p99))),
    ...Object.fromEntries(
      against.map((other) => [
        `of ${other}`,
        round(median(runs.map(({ perSecond }, n) => perSecond / results.get(other)[n].perSecond))),
      ]),
    ),
    statuses: histogram(runs),
  }));
  console.table(rows);
}

const round = (value) => Math.round(value * 100) / 100;

function histogram(runs) {
  const sum = {};
  for (const { statuses } of runs) {
    for (const [code, count] of Object.entries(statuses)) sum[code] = (sum[code] ?? 0) + count;
  }
  return Object.entries(sum)
    .map(([code, count]) => `${code}: ${count}`)
    .join(', ');
}
