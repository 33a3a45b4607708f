import { createHash } from 'node:crypto';
import { canonical, type ColumnKind, type Row } from './cell.ts';

const MODULUS = 1n << 256n;

/** What the rows of a table are compared by. */
export interface TableSum {
  readonly rows: number;
  /** Hexadecimal; the same for the same rows in any order. */
  readonly hash: string;
}

/**
 * Counts the rows of a table and adds up their SHA-256 hashes. A sum does not depend on the order, because the engines sort
 * text differently, and unlike XOR it notices a row that is there twice.
 */
export class TableDigest {
  readonly kinds: readonly ColumnKind[];
  #rows = 0;
  #sum = 0n;

  constructor(kinds: readonly ColumnKind[]) {
    this.kinds = kinds;
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const text = JSON.stringify(row.map((value, index) => canonical(value, this.kinds[index]!)));
      this.#sum += BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
    }
    this.#sum %= MODULUS;
    this.#rows += rows.length;
  }

  sum(): TableSum {
    return { rows: this.#rows, hash: this.#sum.toString(16).padStart(64, '0') };
  }
}

/** Whether two tables have the same rows. */
export function isSame(one: TableSum, other: TableSum): boolean {
  return one.rows === other.rows && one.hash === other.hash;
}
