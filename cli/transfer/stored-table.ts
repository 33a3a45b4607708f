import { tablePrefix } from '../../core/persistence/migrations/ledger.ts';
import { TRANSFERS } from '../../core/persistence/migrations/unfinished-transfer.ts';
import type { ColumnKind } from './cell.ts';

export interface StoredColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The type of the engine, where values are cast to it. */
  readonly type?: string;
}

/** A table as an engine describes it. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  /** The columns of the primary key, in its order; empty without one. */
  readonly key: readonly string[];
}

/** The applied steps of a plugin, installed or not. */
export interface AppliedSteps {
  /** The prefix of the plugin's tables, without the underscore at its end. */
  readonly owner: string;
  readonly applied: readonly string[];
}

/** What the kernel keeps about a database itself: it is made anew, and not copied. */
const NOT_COPIED = ['core_changes', TRANSFERS];

/** The plugins that ever made tables: each has a ledger of its steps, and knex keeps a lock beside it. */
export function ownersAmong(tables: readonly string[]): string[] {
  const names = new Set(tables);
  return tables
    .filter((name) => name.endsWith('_migrations') && names.has(`${name}_lock`))
    .map((name) => name.slice(0, -'_migrations'.length));
}

/** Tables that are copied, and those that belong to no plugin. */
export interface TableSelection {
  readonly own: readonly StoredTable[];
  readonly foreign: readonly string[];
}

/** Tables of plugins, without their ledgers, in the order of their names. */
export function selectTables(tables: readonly StoredTable[]): TableSelection {
  const owners = ownersAmong(tables.map(({ name }) => name));
  const ledgers = owners.flatMap((owner) => [`${owner}_migrations`, `${owner}_migrations_lock`]);
  const candidates = tables.filter(({ name }) => ![...ledgers, ...NOT_COPIED].includes(name));
  const isOwn = ({ name }: StoredTable): boolean =>
    owners.some((owner) => name.startsWith(tablePrefix(owner)));
  return {
    own: candidates.filter(isOwn).sort((one, other) => (one.name < other.name ? -1 : 1)),
    foreign: candidates.filter((table) => !isOwn(table)).map(({ name }) => name),
  };
}

/** The other table with its columns in the order of this one; `undefined` when their names differ. */
export function inOrderOf({ columns }: StoredTable, other: StoredTable): StoredTable | undefined {
  if (columns.length !== other.columns.length) return undefined;
  const ordered = columns.flatMap(({ name }) => other.columns.find((column) => column.name === name) ?? []);
  return ordered.length === columns.length ? { ...other, columns: ordered } : undefined;
}

/** The kinds by which two tables are compared, in the order of the columns of the first. The coarser of two kinds counts. */
export function commonKinds(one: StoredTable, other: StoredTable): ColumnKind[] {
  return one.columns.map(({ name, kind }) => {
    const there = other.columns.find((column) => column.name === name)?.kind;
    if (there === undefined || there === kind) return kind;
    return (
      (['single', 'time', 'json', 'boolean', 'real'] as const).find((coarse) =>
        [kind, there].includes(coarse),
      ) ?? 'text'
    );
  });
}
