import type { Choice } from './routing.ts';

/** Why a version was chosen, in a sentence. */
export function reasonOf({ route, versionId, insteadOf }: Choice): string {
  if (!route) return 'The algorithm has no route; this is its default version.';
  const { sticky } = route.rule;
  const percent = route.percentOf(versionId);
  if (insteadOf !== undefined) {
    return `The circuit of the version ${insteadOf} is open; its share goes to the others, and ${sticky ? 'this caller' : 'this draw'} to this one.`;
  }
  return sticky
    ? `The route gives ${percent} % of the callers this version, and this caller is one of them.`
    : `The route draws a version for each call. This one is drawn for ${percent} % of them; the next draw may be another.`;
}
