import { token, type Database, type Invalidation } from '../../core/index.ts';
import type { CheckMarks } from './check-marks.ts';
import { ALGORITHM_CHANGED_TOPIC, type AlgorithmStatus } from './contract.ts';
import type { ListedFilter } from './reader.ts';
import type { Facet, Facets } from './schemas.ts';
import { selecting, type ListedAlgorithms, type Selection } from './search.ts';

/** The most names of a facet; types and tags are free text. */
const MAX_NAMES = 100;
const MAX_SELECTIONS = 500;

interface Group {
  readonly type: string;
  readonly status: AlgorithmStatus;
  readonly count: number;
}

/**
 * Counts what a selection has of each type, status, check and tag. All but tags are counted as if none were selected,
 * because another one selects more; tags within those that are selected, because another one selects less.
 */
export class FacetCounts {
  readonly #database: Database;
  readonly #marks: CheckMarks;
  /** The pages of one selection have the same facets. */
  readonly #cache;

  constructor(deps: { database: Database; marks: CheckMarks; invalidation: Invalidation }) {
    this.#database = deps.database;
    this.#marks = deps.marks;
    this.#cache = deps.invalidation.cache<Facets>({
      topics: [ALGORITHM_CHANGED_TOPIC],
      drops: 'all',
      maxSize: MAX_SELECTIONS,
    });
  }

  async of(selection: ListedFilter, listed: ListedAlgorithms): Promise<Facets> {
    const { type, status, check, tags, q } = selection;
    const key = JSON.stringify([type, status, check, tags, q, listed]);
    return await this.#cache.get(key, () => this.#count(selection, listed));
  }

  async #count(selection: Selection, listed: ListedAlgorithms): Promise<Facets> {
    const [groups, tags, checks] = await Promise.all([
      this.#groups(selection, listed),
      this.#tags(selection, listed),
      this.#checks(selection, listed),
    ]);
    const { type, status } = selection;
    return {
      types: summed(
        groups.filter((group) => status === undefined || status.includes(group.status)),
        (group) => group.type,
      ),
      statuses: summed(
        groups.filter((group) => type === undefined || type.includes(group.type)),
        (group) => group.status,
      ),
      tags,
      ...(checks && { checks }),
    };
  }

  /** One scan serves types and statuses. */
  async #groups({ tags, q, defaults }: Selection, listed: ListedAlgorithms): Promise<readonly Group[]> {
    const { where, values } = selecting({ tags, q, defaults }, listed, this.#database.engine);
    const read = this.#database.read<Group>(
      `SELECT type, status, CAST(count(*) AS integer) AS count FROM catalogue_algorithms ${where}
       GROUP BY type, status`,
    );
    return await read.all(...values);
  }

  async #checks(
    { type, status, tags, q }: Selection,
    listed: ListedAlgorithms,
  ): Promise<Facet[] | undefined> {
    const known = await this.#marks.byState();
    if (known === undefined) return undefined;
    const all = { type, status, tags, q };
    const [total, working, broken] = await Promise.all([
      this.#countOf(all, listed),
      this.#countOf({ ...all, defaults: { ids: known.working, areLeftOut: false } }, listed),
      this.#countOf({ ...all, defaults: { ids: known.broken, areLeftOut: false } }, listed),
    ]);
    const counts = { working, broken, unchecked: total - working - broken };
    return Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [{ name, count }] : []));
  }

  async #countOf(selection: Selection, listed: ListedAlgorithms): Promise<number> {
    const { where, values } = selecting(selection, listed, this.#database.engine);
    const read = this.#database.read<{ count: number }>(
      `SELECT CAST(count(*) AS integer) AS count FROM catalogue_algorithms ${where}`,
    );
    return (await read.first(...values))?.count ?? 0;
  }

  async #tags(selection: Selection, listed: ListedAlgorithms): Promise<Facet[]> {
    const { engine } = this.#database;
    const { where, values } = selecting(selection, listed, engine);
    // The plus keeps SQLite from looking up the tags of each algorithm; it reads the index, which is in their order.
    const algorithm = engine === 'sqlite' ? '+algorithm_id' : 'algorithm_id';
    const read = this.#database.read<Facet>(
      `SELECT MIN(tag) AS name, CAST(count(*) AS integer) AS count FROM catalogue_tags
       WHERE ${algorithm} IN (SELECT id FROM catalogue_algorithms ${where})
       GROUP BY tag_key ORDER BY count DESC, tag_key LIMIT ${MAX_NAMES}`,
    );
    return await read.all(...values);
  }
}

/** The counts by name, the highest first. */
function summed(groups: readonly Group[], nameOf: (group: Group) => string): Facet[] {
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(nameOf(group), (counts.get(nameOf(group)) ?? 0) + group.count);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMES);
}

export const FACETS = token<FacetCounts>('catalogue:facets');
