import { damaged, unavailable, withoutRoom } from '../unavailable.ts';
import {
  UnfitDatabase,
  ConstraintViolation,
  UniqueViolation,
  type ViolatedConstraint,
} from '../violations.ts';

/** Codes for a database that is locked or temporarily lacks resources. */
const AWAY = /^SQLITE_(BUSY|LOCKED|NOMEM|PROTOCOL|INTERRUPT)/;
/** Messages without a code of the driver and of `prepareConnection` for a file that cannot be opened. */
const NOT_OPENED = /^(Cannot open database because|the file system allows no|SQLite did not accept)/;

/** SQLite has one code for all faults of a statement, so the message tells them apart. */
const UNFIT = /^(no such (table|column)|table .+ has no column named|ON CONFLICT clause does not match)/;

/** The code of an error of the driver: `SQLITE_CONSTRAINT_UNIQUE`. */
export function sqliteCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}

/** Whether a connection must not be reused: a page that was not synced may be lost although the cache has it. */
export function isBroken(error: unknown): boolean {
  return /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY)/.test(sqliteCode(error));
}

/** Whether the file is damaged, or no database. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error));
}

/** Converts an error of the driver into one of the kernel; any other is returned unchanged. */
export function fromSqlite(error: unknown): unknown {
  const code = sqliteCode(error);
  const message = error instanceof Error ? error.message : '';
  switch (code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
    case 'SQLITE_CONSTRAINT_ROWID':
      return new UniqueViolation(message, violated(message), { cause: error });
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return new ConstraintViolation(message, {}, { cause: error });
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return new ConstraintViolation(message, violated(message), { cause: error });
    case 'SQLITE_CONSTRAINT_CHECK':
      return new ConstraintViolation(message, { constraint: afterColon(message) }, { cause: error });
  }
  if (code === 'SQLITE_ERROR' && UNFIT.test(message)) return new UnfitDatabase(message, { cause: error });
  if (code === 'SQLITE_FULL') return withoutRoom(error);
  if (isDamaged(error)) return damaged(error);
  const isAway = code === '' ? NOT_OPENED.test(message) : AWAY.test(code) || isBroken(error);
  return isAway ? unavailable(error) : error;
}

/** Parses `UNIQUE constraint failed: t.a, t.b` and `UNIQUE constraint failed: index 'name'`. */
function violated(message: string): ViolatedConstraint {
  const where = afterColon(message);
  const index = /^index '(.*)'$/.exec(where);
  if (index) return { constraint: index[1] };
  const columns = where.split(', ').map((column) => column.split('.'));
  return { table: columns[0]?.[0], columns: columns.map((parts) => parts.at(-1) ?? '') };
}

function afterColon(message: string): string {
  return message.slice(message.indexOf(': ') + 2);
}
