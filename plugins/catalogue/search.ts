import { containing, folded, type Engine, type SqlValue } from '../../core/index.ts';
import type { AlgorithmFilter } from './schemas.ts';

/** The `search_text` of an algorithm. It begins with the name for sorting; folded texts are the same on every engine. */
export function searchText(algorithm: { readonly name: string; readonly description: string }): string {
  return folded(`${algorithm.name}\n${algorithm.description}`);
}

function orderBy(sort: string, engine: Engine): string {
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const by = sort.replace('-', '');
  const byName = engine === 'postgres' ? 'search_text COLLATE "C"' : 'search_text';
  return `ORDER BY ${by === 'name' ? byName : by} ${direction}, id ${direction}`;
}

/** The SQL clauses for a filter. There are few distinct texts, so that each stays prepared. */
export function filtered(
  filter: AlgorithmFilter,
  engine: Engine,
): { where: string; order: string; values: SqlValue[] } {
  const conditions: [string, SqlValue | undefined][] = [
    ['type = ?', filter.type],
    ['status = ?', filter.status],
    ["search_text LIKE ? ESCAPE '!'", filter.q === undefined ? undefined : containing(filter.q)],
  ];
  const given = conditions.filter(([, value]) => value !== undefined);
  return {
    where: given.length > 0 ? `WHERE ${given.map(([condition]) => condition).join(' AND ')}` : '',
    order: orderBy(filter.sort, engine),
    values: given.map(([, value]) => value as SqlValue),
  };
}
