const DAMPING = 0.85;
const PRECISION = 1e-10;
const MOST_ROUNDS = 500;

/**
 * PageRank over a symmetric matrix of weights: the share of time that a walker spends at each node, who follows an edge
 * with probability 0.85, by its weight, and jumps anywhere otherwise.
 */
export function pageRank(weights: readonly Float64Array[]): number[] {
  const size = weights.length;
  const totals = weights.map((row) => row.reduce((sum, weight) => sum + weight, 0));
  let ranks = Array<number>(size).fill(1 / size);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = oneStep(weights, totals, ranks);
    const change = next.reduce((sum, rank, i) => sum + Math.abs(rank - ranks[i]!), 0);
    ranks = next;
    if (change < PRECISION) break;
  }
  return ranks;
}

function oneStep(
  weights: readonly Float64Array[],
  totals: readonly number[],
  ranks: readonly number[],
): number[] {
  const size = ranks.length;
  const stranded = ranks.reduce((sum, rank, i) => (totals[i] === 0 ? sum + rank : sum), 0);
  const everywhere = (1 - DAMPING + DAMPING * stranded) / size;
  const flows = ranks.map((rank, i) => (totals[i]! > 0 ? rank / totals[i]! : 0));
  return weights.map(
    (row) => everywhere + DAMPING * row.reduce((sum, weight, j) => sum + weight * flows[j]!, 0),
  );
}
