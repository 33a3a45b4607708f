import type { BatchInsert, ColumnType, SqlValue } from '../database.ts';
import { insertInto, onConflict } from '../batch-sql.ts';
import { arrayText } from './array-text.ts';

const REMEMBERED = 16;

const ARRAYS: Record<ColumnType, string> = {
  text: 'text[]',
  integer: 'int8[]',
  real: 'float8[]',
  boolean: 'bool[]',
};

/** What one insert contributes to the statement; compared by identity. */
interface Part {
  readonly table: string;
  readonly columns: BatchInsert['columns'];
  readonly rule: BatchInsert['onConflict'];
  /** Where the columns of the conflict key are. */
  readonly keyPlaces: readonly number[];
}

interface Joined {
  readonly text: string;
  readonly parts: readonly Part[];
}

/**
 * Inserts into several tables as one statement, which is a transaction by itself: each statement costs the client and
 * the server a message of its own, and so do `BEGIN` and `COMMIT`. The recorder writes the same few kinds of batches all
 * the time, so their statements are remembered.
 */
export class JoinedInserts {
  readonly #known: Joined[] = [];

  /** Every insert has rows and a table of its own: parts of one statement do not see each other's rows. */
  statementFor(inserts: readonly BatchInsert[]): { readonly text: string; readonly values: string[] } {
    const { text, parts } = this.#known.find((joined) => isFor(joined, inserts)) ?? this.#remember(inserts);
    const values = inserts.flatMap(({ rows }, index) => {
      const ordered = inKeyOrder(rows, parts[index]!.keyPlaces);
      return ordered[0]!.map((_, column) => arrayText(ordered.map((row) => row[column]!)));
    });
    return { text, values };
  }

  #remember(inserts: readonly BatchInsert[]): Joined {
    const joined = { text: textFor(inserts), parts: inserts.map(partOf) };
    if (this.#known.push(joined) > REMEMBERED) this.#known.shift();
    return joined;
  }
}

function isFor({ parts }: Joined, inserts: readonly BatchInsert[]): boolean {
  if (inserts.length !== parts.length) return false;
  return inserts.every(({ table, columns, onConflict: rule }, index) => {
    const part = parts[index]!;
    return table === part.table && columns === part.columns && rule === part.rule;
  });
}

function partOf({ table, columns, onConflict: rule }: BatchInsert): Part {
  const names = Object.keys(columns);
  return { table, columns, rule, keyPlaces: (rule?.key ?? []).map((name) => names.indexOf(name)) };
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
