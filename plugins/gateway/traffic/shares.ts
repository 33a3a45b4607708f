/** A hundred places share out the callers; a version holds as many as its percent. */
export const PLACES = 100;

/** How much of the calls a version gets, in whole percent. */
export interface Weight {
  readonly version_id: string;
  readonly percent: number;
}

/** The places of a version, ascending. All shares of a route together hold every place once. */
export interface Share {
  readonly version_id: string;
  readonly places: readonly number[];
}

export function weightsOf(shares: readonly Share[]): Weight[] {
  return shares.map(({ version_id, places }) => ({ version_id, percent: places.length }));
}

/**
 * Shares with the wanted weights, which add up to 100, moving as few places as possible: a version that grows keeps
 * what it has and takes only from those that shrink. Canaries hold the lowest places and the stable version the
 * highest, so that who left a canary is the first to come back to it.
 */
export function sharedOut(
  weights: readonly Weight[],
  stableVersionId: string,
  before: readonly Share[],
): Share[] {
  const kept = weights.map(({ version_id, percent }) => {
    const had = before.find((share) => share.version_id === version_id)?.places ?? [];
    const surplus = Math.max(0, had.length - percent);
    const places = version_id === stableVersionId ? had.slice(surplus) : had.slice(0, had.length - surplus);
    return { version_id, percent, places: [...places] };
  });
  const held = new Set(kept.flatMap(({ places }) => places));
  const free = Array.from({ length: PLACES }, (_, place) => place).filter((place) => !held.has(place));
  const canariesFirst = kept.toSorted(
    (one, other) => Number(one.version_id === stableVersionId) - Number(other.version_id === stableVersionId),
  );
  for (const { percent, places } of canariesFirst) places.push(...free.splice(0, percent - places.length));
  return kept.map(({ version_id, places }) => ({
    version_id,
    places: places.toSorted((one, other) => one - other),
  }));
}
