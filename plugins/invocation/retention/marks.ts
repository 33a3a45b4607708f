import type { Database } from '../../../core/index.ts';

/** What retention deletes: whole records, or their payloads. */
export type RetentionKind = 'records' | 'payloads';

/** How far retention has come: the id of the newest record that it deleted or skipped; empty at first. */
export type Marks = Readonly<Record<RetentionKind, string>>;

/** Reads how far records and payloads are deleted. */
export function createMarks(database: Pick<Database, 'read'>): () => Promise<Marks> {
  const statement = database.read<{ name: RetentionKind; horizon: string }>(
    'SELECT name, horizon FROM invocation_retention',
  );
  return async () => {
    const rows = await statement.all();
    const markOf = (name: RetentionKind): string => rows.find((row) => row.name === name)?.horizon ?? '';
    return { records: markOf('records'), payloads: markOf('payloads') };
  };
}

/** The first statement of a deletion that leaves the mark where it is: records of all ages may stay. */
export const lockMark = {
  sql: `UPDATE invocation_retention SET horizon = horizon WHERE name = 'records'`,
  values: [],
};

/** The first statement of a deletion. It locks the mark, so that two instances never delete the same records. */
export function moveMark(name: RetentionKind, horizon: string) {
  return { sql: 'UPDATE invocation_retention SET horizon = ? WHERE name = ?', values: [horizon, name] };
}
