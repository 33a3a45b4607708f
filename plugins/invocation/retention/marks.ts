import type { BatchChange, Database } from '../../../core/index.ts';

/** What is thrown away: whole records, or what their callers sent and got. */
export type Kept = 'records' | 'payloads';

/** How far throwing away has come. */
export interface Mark {
  /** The id of the newest record that was passed, or a bound below it; empty at first. */
  readonly horizon: string;
  /** How many were passed. */
  readonly passed: number;
}

interface MarkRow extends Mark {
  readonly name: Kept;
}

/** Reads how far records and payloads were thrown away. */
export function createMarks(database: Database): () => Promise<Record<Kept, Mark>> {
  const statement = database.read<MarkRow>('SELECT name, horizon, passed FROM invocation_retention');
  const nothing: Mark = { horizon: '', passed: 0 };
  return async () => {
    const rows = await statement.all();
    const markOf = (name: Kept): Mark => rows.find((row) => row.name === name) ?? nothing;
    return { records: markOf('records'), payloads: markOf('payloads') };
  };
}

/** Moves a mark from where it was; one that somebody else moved meanwhile stays where it is. */
export function moveMark(name: Kept, from: Mark, to: Mark): BatchChange {
  return {
    sql: 'UPDATE invocation_retention SET horizon = ?, passed = ?, counted = ? WHERE name = ? AND passed = ?',
    values: [to.horizon, to.passed, to.passed, name, from.passed],
  };
}
