import type { Engine } from '../../../core/index.ts';

/** Ids as one value; PostgreSQL knows by them, when it plans, which partitions it needs. */
export const amongIds: Record<Engine, string> = {
  postgres: '= ANY(?::text[])',
  sqlite: 'IN (SELECT value FROM json_each(?))',
};

/** The value for `amongIds`. */
export function listOfIds(engine: Engine, ids: readonly string[]): string {
  const json = JSON.stringify(ids);
  return engine === 'postgres' ? `{${json.slice(1, -1)}}` : json;
}
