import type { Engine } from '../../../core/index.ts';

/** SQL for membership in a list of ids, passed as one parameter. PostgreSQL prunes partitions by it when it plans. */
export const amongIds: Record<Engine, string> = {
  postgres: '= ANY(?::text[])',
  sqlite: 'IN (SELECT value FROM json_each(?))',
};

/** The parameter for `amongIds`. */
export function listOfIds(engine: Engine, ids: readonly string[]): string {
  const json = JSON.stringify(ids);
  return engine === 'postgres' ? `{${json.slice(1, -1)}}` : json;
}
