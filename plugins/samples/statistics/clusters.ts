import { kmeans } from 'ml-kmeans';

/** Points grouped around centres. */
export interface Clusters {
  /** The group of each point. */
  readonly groups: readonly number[];
  readonly centres: readonly (readonly number[])[];
  /** Squared distances of the points to their centres, summed. */
  readonly inertia: number;
  readonly converged: boolean;
}

const MOST_ROUNDS = 300;

/** The best of several runs of k-means, each from its own k-means++ start. Needs at least `k` different points. */
export function clustered(points: number[][], k: number, seed: number, starts: number): Clusters {
  let best: Clusters | undefined;
  for (let start = 0; start < starts; start++) {
    const found = oneRun(points, k, seed + start);
    if (!best || found.inertia < best.inertia) best = found;
  }
  return best!;
}

/** How many points differ from all before them. */
export function differentPoints(points: readonly (readonly number[])[]): number {
  return new Set(points.map((point) => point.join())).size;
}

export function squaredDistance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0);
}

/** A tolerance of 0 runs until no centre moves, whatever the scale of the data. */
function oneRun(points: number[][], k: number, seed: number): Clusters {
  const { clusters, centroids, converged } = kmeans(points, k, {
    seed,
    tolerance: 0,
    maxIterations: MOST_ROUNDS,
  });
  const inertia = points.reduce((sum, point, i) => sum + squaredDistance(point, centroids[clusters[i]!]!), 0);
  return { groups: clusters, centres: centroids, inertia, converged };
}
