import type { BatchInsert, ColumnType, SqlValue } from '../database.ts';
import { insertInto, onConflict } from '../batch-sql.ts';
import { InsertMemory } from '../insert-memory.ts';
import { arrayText } from './array-text.ts';

const TYPES: Record<ColumnType, string> = {
  text: 'text',
  integer: 'int8',
  real: 'float8',
  boolean: 'bool',
};
/** The record of a lone call and its totals are seven. */
const FEW_ROWS = 8;

interface Joined {
  /** Takes an array for each column. */
  readonly ofArrays: string;
  /** Takes each value by itself; by how many rows each insert has. */
  readonly ofValues: Map<string, string>;
  /** For each insert, where the columns of its conflict key are. */
  readonly keyPlaces: readonly (readonly number[])[];
}

interface Statement {
  readonly text: string;
  readonly values: SqlValue[];
}

/**
 * Inserts into several tables as one statement, which is a transaction by itself: each statement costs the client and
 * the server a message of its own, and so do `BEGIN` and `COMMIT`. Any number of rows is the same statement, with an array
 * for each column. Few rows are written value by value: to make an array and take it apart costs a lone record 0.1 ms.
 */
export class JoinedInserts {
  readonly #memory = new InsertMemory<Joined>((inserts) => ({
    ofArrays: textFor(inserts, arrays),
    ofValues: new Map(),
    keyPlaces: inserts.map(keyPlacesOf),
  }));

  /** Every insert has rows and a table of its own: parts of one statement do not see each other's rows. */
  statementFor(inserts: readonly BatchInsert[]): Statement {
    const known = this.#memory.of(inserts);
    const ordered = inserts.map(({ rows }, index) => inKeyOrder(rows, known.keyPlaces[index]!));
    const count = ordered.reduce((sum, { length }) => sum + length, 0);
    return count > FEW_ROWS
      ? { text: known.ofArrays, values: inOneRow(ordered.map((rows) => [columnsOf(rows)])) }
      : { text: textOfValues(known, inserts), values: inOneRow(ordered) };
  }
}

function textOfValues({ ofValues }: Joined, inserts: readonly BatchInsert[]): string {
  const counts = inserts.map(({ rows }) => rows.length).join();
  let text = ofValues.get(counts);
  if (!text) ofValues.set(counts, (text = textFor(inserts, valuesOf)));
  return text;
}

/** `flat` takes twenty times as long. */
function inOneRow(tables: readonly BatchInsert['rows'][]): SqlValue[] {
  const values: SqlValue[] = [];
  for (const rows of tables) for (const row of rows) values.push(...row);
  return values;
}

function columnsOf(rows: BatchInsert['rows']): string[] {
  return rows[0]!.map((_, column) => arrayText(rows.map((row) => row[column]!)));
}

function keyPlacesOf({ columns, onConflict: rule }: BatchInsert): readonly number[] {
  const names = Object.keys(columns);
  return (rule?.key ?? []).map((name) => names.indexOf(name));
}

/** `next` gives the place of the next value. */
type Rows = (insert: BatchInsert, next: () => string) => string;

const arrays: Rows = ({ columns }, next) => {
  const places = Object.values(columns).map((type) => `${next()}::${TYPES[type]}[]`);
  return `SELECT * FROM unnest(${places.join(', ')})`;
};

const valuesOf: Rows = ({ columns, rows }, next) => {
  const types = Object.values(columns).map((type) => TYPES[type]);
  const texts = rows.map(() => `(${types.map((type) => `${next()}::${type}`).join(', ')})`);
  return `VALUES ${texts.join(', ')}`;
};

function textFor(inserts: readonly BatchInsert[], rows: Rows): string {
  let place = 0;
  const next = (): string => `$${++place}`;
  const parts = inserts.map((insert) => `${insertInto(insert)} ${rows(insert, next)}${onConflict(insert)}`);
  const last = parts.pop()!;
  const others = parts.map((part, index) => `part_${index} AS (${part})`).join(', ');
  return others === '' ? last : `WITH ${others} ${last}`;
}

/** Two writers that lock the same rows in the same order cannot wait for each other in a circle. */
function inKeyOrder(rows: BatchInsert['rows'], keyPlaces: readonly number[]): BatchInsert['rows'] {
  if (keyPlaces.length === 0 || rows.length < 2) return rows;
  return Array.from(rows).sort((one, other) => {
    for (const place of keyPlaces) {
      const [a, b] = [one[place]!, other[place]!];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  });
}
