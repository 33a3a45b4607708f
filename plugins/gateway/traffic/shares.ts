import type { RouteRow, Share, Weight } from '../models.ts';
import type { Route } from './schemas.ts';

/** Callers are hashed to a hundred slots; a version owns as many slots as its percentage. */
export const SLOTS = 100;

export function weightsOf(shares: readonly Share[]): Weight[] {
  return shares.map(({ version_id, slots }) => ({ version_id, percent: slots.length }));
}

/** The weights of a route, and which of its versions is stable. */
export function rolesOf({ shares, stable_version_id }: RouteRow): Route['versions'] {
  return weightsOf(shares).map((weight) => ({
    ...weight,
    role: weight.version_id === stable_version_id ? 'stable' : 'canary',
  }));
}

/**
 * Shares with the wanted weights, which add up to 100, that move as few slots as possible: a growing version keeps its
 * slots and takes slots only from shrinking ones. Canaries own the lowest slots and the stable version the highest, so
 * that callers who left a canary are the first to return to it.
 */
export function sharedOut(
  weights: readonly Weight[],
  stableVersionId: string,
  before: readonly Share[],
): Share[] {
  const kept = weights.map(({ version_id, percent }) => {
    const had = before.find((share) => share.version_id === version_id)?.slots ?? [];
    const surplus = Math.max(0, had.length - percent);
    const slots = version_id === stableVersionId ? had.slice(surplus) : had.slice(0, had.length - surplus);
    return { version_id, percent, slots: [...slots] };
  });
  const taken = new Set(kept.flatMap(({ slots }) => slots));
  const free = Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  const canariesFirst = kept.toSorted(
    (one, other) => Number(one.version_id === stableVersionId) - Number(other.version_id === stableVersionId),
  );
  for (const { percent, slots } of canariesFirst) slots.push(...free.splice(0, percent - slots.length));
  return kept.map(({ version_id, slots }) => ({
    version_id,
    slots: slots.toSorted((one, other) => one - other),
  }));
}

/** Gives all slots of some versions to another one. */
export function givenTo(
  versionId: string,
  shares: readonly Share[],
  isGiver: (versionId: string) => boolean,
): Share[] {
  const gives = ({ version_id }: Share): boolean => version_id !== versionId && isGiver(version_id);
  const given = shares.filter(gives).flatMap(({ slots }) => slots);
  return shares.map((share) => {
    if (share.version_id !== versionId) return gives(share) ? { ...share, slots: [] } : share;
    return { ...share, slots: [...share.slots, ...given].toSorted((one, other) => one - other) };
  });
}
