import type { Engine } from '../../../core/persistence/database.ts';
import type { AppliedSteps, StoredTable } from '../stored-table.ts';
import type { KeyRange } from '../row-source.ts';
import type { TableSum } from '../table-digest.ts';

/*
 * An archive is JSON Lines in gzip: a header; for each table a line that describes it, its rows as arrays, and a line with
 * their number and hash; a last line with the number of tables. Files of the data directory are tables of their parts.
 */

/** Raised when an older release could not read an archive. */
export const FORMAT = 1;

/** The first line. */
export interface ArchiveHeader {
  readonly vitrine_backup: number;
  readonly id: string;
  /** The release that made the archive. */
  readonly vitrine: string;
  readonly created_at: string;
  readonly engine: Engine;
  readonly applied: readonly AppliedSteps[];
  /** The secrets of the installation, for the caller: sealed, or only their digests. */
  readonly secrets: unknown;
}

/** The line before the rows of a table; keys of its first and last row in JSON. */
export interface TableLine {
  readonly table: StoredTable;
  readonly range?: { readonly first: readonly unknown[]; readonly last: readonly unknown[] };
}

/** The line after the rows of a table. */
export interface TableEndLine extends TableSum {
  readonly end: string;
}

/** The last line. */
export interface LastLine {
  readonly complete: true;
  readonly tables: number;
}

/** A table in an archive. */
export interface ArchivedTable {
  readonly table: StoredTable;
  readonly range: KeyRange | undefined;
}

const FILE_PREFIX = 'file:';

/** The table of the parts of a file; its path is relative to the data directory. */
export function tableOfFile(path: string): StoredTable {
  return {
    name: FILE_PREFIX + path,
    columns: [
      { name: 'part', kind: 'integer' },
      { name: 'content', kind: 'blob' },
    ],
    key: ['part'],
  };
}

/** The path of a file, or `undefined` for a table of the database. */
export function pathOfFile({ name }: StoredTable): string | undefined {
  return name.startsWith(FILE_PREFIX) ? name.slice(FILE_PREFIX.length) : undefined;
}
