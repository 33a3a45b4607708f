import type { Version } from '../../../api/queries.ts';

/** Which share of the callers gets which version. */
export interface Shares {
  readonly stable: string;
  /** The percentages of the canaries by their ids; the stable version gets the rest. */
  readonly canaries: ReadonlyMap<string, number>;
}

export const FULL = 100;

/** What is left for the stable version. */
export function restOf({ canaries }: Shares): number {
  return FULL - [...canaries.values()].reduce((sum, percent) => sum + percent, 0);
}

/** The largest share that a canary can have beside the others. */
export function mostFor(shares: Shares, id: string): number {
  return restOf(shares) + (shares.canaries.get(id) ?? 0);
}

export function withShare({ stable, canaries }: Shares, id: string, percent: number): Shares {
  return { stable, canaries: new Map(canaries).set(id, percent) };
}

export function withoutCanary({ stable, canaries }: Shares, id: string): Shares {
  return { stable, canaries: new Map([...canaries].filter(([each]) => each !== id)) };
}

/** With another stable version; the one before becomes a canary with its share, unless it had none. */
export function withStable(shares: Shares, stable: string): Shares {
  const rest = restOf(shares);
  const { canaries } = withoutCanary(shares, stable);
  return { stable, canaries: rest > 0 ? new Map(canaries).set(shares.stable, rest) : canaries };
}

/** As the API takes them. */
export function versionsOf(shares: Shares) {
  return [
    { version_id: shares.stable, percent: restOf(shares) },
    ...[...shares.canaries].map(([version_id, percent]) => ({ version_id, percent })),
  ];
}

export function sharesOf(route: {
  readonly stable_version_id: string;
  readonly versions: readonly { readonly version_id: string; readonly percent: number }[];
}): Shares {
  const { stable_version_id: stable, versions } = route;
  const canaries = versions.filter(({ version_id }) => version_id !== stable);
  return { stable, canaries: new Map(canaries.map(({ version_id, percent }) => [version_id, percent])) };
}

/** What a rollout begins with: everybody has the default version, and the newest other one is to be tried. */
export function firstShares(versions: readonly Version[]): Shares {
  const stable = versions.find(({ is_default }) => is_default) ?? versions[0]!;
  const canary = versions.find(({ id }) => id !== stable.id);
  return { stable: stable.id, canaries: new Map(canary ? [[canary.id, 5]] : []) };
}
