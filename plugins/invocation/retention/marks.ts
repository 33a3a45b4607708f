import type { BatchChange, Database } from '../../../core/index.ts';

/** What is deleted: whole records, or what their callers sent and got. */
export type Kept = 'records' | 'payloads';

/** How far retention has come: the id of the newest record that it deleted or passed; empty at first. */
export type Marks = Readonly<Record<Kept, string>>;

/** Reads how far records and payloads are deleted. */
export function createMarks(database: Pick<Database, 'read'>): () => Promise<Marks> {
  const statement = database.read<{ name: Kept; horizon: string }>(
    'SELECT name, horizon FROM invocation_retention',
  );
  return async () => {
    const rows = await statement.all();
    const markOf = (name: Kept): string => rows.find((row) => row.name === name)?.horizon ?? '';
    return { records: markOf('records'), payloads: markOf('payloads') };
  };
}

/** Comes first in a transaction: another instance that deletes the same records waits here, and then finds them deleted. */
export function moveMark(name: Kept, horizon: string): BatchChange {
  return { sql: 'UPDATE invocation_retention SET horizon = ? WHERE name = ?', values: [horizon, name] };
}
