import { containing, folded, type Engine, type SqlValue } from '../../core/index.ts';
import type { Algorithm } from './contract.ts';
import type { AlgorithmFilter } from './schemas.ts';
import { keyOfTag } from './tags.ts';

/** By what an algorithm is found and sorted; folded texts are the same on every engine. */
export function searchColumns({ name, description, tags }: Found): {
  readonly search_text: string;
  readonly name_key: string;
} {
  return {
    search_text: folded([name, description, ...tags].join('\n')),
    name_key: [...folded(name)].slice(0, NAME_KEY).join(''),
  };
}

/** As many characters as fit into an index of PostgreSQL; folding can make some names much longer. */
const NAME_KEY = 200;

type Found = Pick<Algorithm, 'name' | 'description' | 'tags'>;

function orderBy(sort: string): string {
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const by = sort.replace('-', '');
  return `ORDER BY ${by === 'name' ? 'name_key' : by} ${direction}, id ${direction}`;
}

/** The private algorithms that a list shows: all of them, or those with these ids. */
type ListedPrivate = 'all' | readonly string[];

/** What a list shows: all public algorithms and some private ones, or no more of these than a credential covers. */
export type ListedAlgorithms =
  | ListedPrivate
  | { readonly covered: readonly string[]; readonly among: ListedPrivate };

type Condition = readonly [sql: string, ...values: readonly SqlValue[]];

/** SQL for a list of texts that is passed as one parameter, in JSON. */
const GIVEN: Readonly<Record<Engine, string>> = {
  postgres: '(SELECT jsonb_array_elements_text(?::jsonb))',
  sqlite: '(SELECT value FROM json_each(?))',
};

/** The conditions for what a list may show. */
function listedOnly(listed: ListedAlgorithms, engine: Engine): readonly Condition[] {
  if (typeof listed === 'object' && 'covered' in listed) {
    return [[`id IN ${GIVEN[engine]}`, JSON.stringify(listed.covered)], ...listedOnly(listed.among, engine)];
  }
  if (listed === 'all') return [];
  if (listed.length === 0) return [["access <> 'private'"]];
  return [[`(access <> 'private' OR id IN ${GIVEN[engine]})`, JSON.stringify(listed)]];
}

/** The condition for a row with one of these ids, among what a list may show. */
export function amongIds(
  ids: readonly string[],
  listed: ListedAlgorithms,
  engine: Engine,
): { where: string; values: SqlValue[] } {
  return joined([[`id IN ${GIVEN[engine]}`, JSON.stringify(ids)], ...listedOnly(listed, engine)]);
}

function joined(conditions: readonly Condition[]): { where: string; values: SqlValue[] } {
  return {
    where: conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}` : '',
    values: conditions.flatMap(([, ...values]) => values),
  };
}

/** The default versions that a list is about: these, or all but these. */
export interface DefaultVersions {
  readonly ids: readonly string[];
  readonly areLeftOut: boolean;
}

/** What selects algorithms. */
export type Selection = {
  readonly [K in 'type' | 'status' | 'tags' | 'q']?: AlgorithmFilter[K] | undefined;
} & {
  /** What `check` of a filter stands for. */
  readonly defaults?: DefaultVersions | undefined;
};

/** The condition for a selection. There are few distinct texts, so that each stays prepared. */
export function selecting(
  { type, status, tags, q, defaults }: Selection,
  listed: ListedAlgorithms,
  engine: Engine,
): { where: string; values: SqlValue[] } {
  return joined([
    ...listedOnly(listed, engine),
    ...(type ? [[`type IN ${GIVEN[engine]}`, JSON.stringify(type)] as const] : []),
    ...(status ? [[`status IN ${GIVEN[engine]}`, JSON.stringify(status)] as const] : []),
    ...(tags ? [havingAll(tags, engine)] : []),
    ...(defaults ? [havingDefault(defaults, engine)] : []),
    ...(q === undefined ? [] : [["search_text LIKE ? ESCAPE '!'", containing(q)] as const]),
  ]);
}

/** As `selecting`, in the order of the filter, unless that is one by calls. */
export function filtered(
  filter: Pick<AlgorithmFilter, 'sort'> & Selection,
  listed: ListedAlgorithms,
  engine: Engine,
): { where: string; order: string; values: SqlValue[] } {
  return { ...selecting(filter, listed, engine), order: orderBy(filter.sort) };
}

function havingDefault({ ids, areLeftOut }: DefaultVersions, engine: Engine): Condition {
  const sql = areLeftOut
    ? `(default_version_id IS NULL OR default_version_id NOT IN ${GIVEN[engine]})`
    : `default_version_id IN ${GIVEN[engine]}`;
  return [sql, JSON.stringify(ids)];
}

function havingAll(tags: readonly string[], engine: Engine): Condition {
  const keys = [...new Set(tags.map(keyOfTag))];
  const sql = `id IN (SELECT algorithm_id FROM catalogue_tags WHERE tag_key IN ${GIVEN[engine]}
    GROUP BY algorithm_id HAVING count(*) = ?)`;
  return [sql, JSON.stringify(keys), keys.length];
}
