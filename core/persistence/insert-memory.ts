import type { BatchInsert } from './database.ts';

const REMEMBERED = 32;

/** What a statement depends on. */
interface Shape {
  readonly table: string;
  readonly columns: BatchInsert['columns'];
  readonly rule: BatchInsert['onConflict'];
}

interface Known<T> {
  readonly shapes: readonly Shape[];
  readonly made: T;
}

/**
 * Remembers what was made for inserts, for others with the same tables, columns and rules, which are compared by identity:
 * the recorder writes the same few kinds of batches all the time.
 */
export class InsertMemory<T> {
  readonly #make: (inserts: readonly BatchInsert[]) => T;
  readonly #known: Known<T>[] = [];

  /** `make` must not look at the rows. */
  constructor(make: (inserts: readonly BatchInsert[]) => T) {
    this.#make = make;
  }

  /** What was made for such inserts, or is made now. */
  of(inserts: readonly BatchInsert[]): T {
    const known = this.#known.find(({ shapes }) => haveShapes(inserts, shapes));
    if (known) return known.made;
    const shapes = inserts.map(({ table, columns, onConflict: rule }) => ({ table, columns, rule }));
    const made = this.#make(inserts);
    if (this.#known.push({ shapes, made }) > REMEMBERED) this.#known.shift();
    return made;
  }
}

function haveShapes(inserts: readonly BatchInsert[], shapes: readonly Shape[]): boolean {
  if (inserts.length !== shapes.length) return false;
  return inserts.every(({ table, columns, onConflict: rule }, index) => {
    const shape = shapes[index]!;
    return table === shape.table && columns === shape.columns && rule === shape.rule;
  });
}
