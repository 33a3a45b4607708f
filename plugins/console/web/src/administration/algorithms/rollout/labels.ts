import type { Algorithm } from '../../../api/queries.ts';

/** What the versions of an algorithm are called; one that was deleted by a part of its id. */
export function labelsOf({ versions }: Algorithm): (id: string) => string {
  const labels = new Map(versions.map(({ id, version }) => [id, version]));
  return (id) => labels.get(id) ?? id.slice(-8);
}
