import type { BatchInsert, ColumnType, SqlValue } from '../database.ts';
import { insertInto, onConflict } from '../batch-sql.ts';
import { InsertMemory } from '../insert-memory.ts';
import { arrayText } from './array-text.ts';

const ARRAYS: Record<ColumnType, string> = {
  text: 'text[]',
  integer: 'int8[]',
  real: 'float8[]',
  boolean: 'bool[]',
};

interface Joined {
  readonly text: string;
  /** For each insert, where the columns of its conflict key are. */
  readonly keyPlaces: readonly (readonly number[])[];
}

/**
 * Inserts into several tables as one statement, which is a transaction by itself: each statement costs the client and
 * the server a message of its own, and so do `BEGIN` and `COMMIT`.
 */
export class JoinedInserts {
  readonly #memory = new InsertMemory<Joined>((inserts) => ({
    text: textFor(inserts),
    keyPlaces: inserts.map(keyPlacesOf),
  }));

  /** Every insert has rows and a table of its own: parts of one statement do not see each other's rows. */
  statementFor(inserts: readonly BatchInsert[]): { readonly text: string; readonly values: string[] } {
    const { text, keyPlaces } = this.#memory.of(inserts);
    const values = inserts.flatMap(({ rows }, index) => {
      const ordered = inKeyOrder(rows, keyPlaces[index]!);
      return ordered[0]!.map((_, column) => arrayText(ordered.map((row) => row[column]!)));
    });
    return { text, values };
  }
}

function keyPlacesOf({ columns, onConflict: rule }: BatchInsert): readonly number[] {
  const names = Object.keys(columns);
  return (rule?.key ?? []).map((name) => names.indexOf(name));
}

function textFor(inserts: readonly BatchInsert[]): string {
  let place = 0;
  const parts = inserts.map((insert) => {
    const arrays = Object.values(insert.columns).map((type) => `$${++place}::${ARRAYS[type]}`);
    return `${insertInto(insert)} SELECT * FROM unnest(${arrays.join(', ')})${onConflict(insert)}`;
  });
  const last = parts.pop()!;
  const others = parts.map((part, index) => `part_${index} AS (${part})`).join(', ');
  return others === '' ? last : `WITH ${others} ${last}`;
}

/** Two writers that lock the same rows in the same order cannot wait for each other in a circle. */
function inKeyOrder(
  rows: BatchInsert['rows'],
  keyPlaces: readonly number[],
): readonly (readonly SqlValue[])[] {
  if (keyPlaces.length === 0 || rows.length < 2) return rows;
  return Array.from(rows).sort((one, other) => {
    for (const place of keyPlaces) {
      const [a, b] = [one[place]!, other[place]!];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  });
}
