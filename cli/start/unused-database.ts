import { existsSync, realpathSync, statSync } from 'node:fs';
import { isoDay } from '../../core/support/clock.ts';
import { locate, type DatabaseLocation } from '../../core/persistence/location.ts';

/** A line on the default SQLite file when the settings name another database, as after a first start without `DATABASE_URL`; otherwise none. */
export function unusedDatabase(inUse: DatabaseLocation, dataDir: string): string | undefined {
  const unused = locate('', dataDir);
  if (unused.engine !== 'sqlite' || !existsSync(unused.file)) return undefined;
  if (inUse.engine === 'sqlite' && isSameFile(inUse.file, unused.file)) return undefined;
  const { size, mtimeMs } = statSync(unused.file);
  if (size === 0) return undefined;
  const name = inUse.engine === 'sqlite' ? inUse.file : `PostgreSQL ${inUse.shown}`;
  return (
    `${unused.file} (last changed ${isoDay(mtimeMs)}) is not used, because DATABASE_URL names ${name}. ` +
    `To use what it holds: stop, empty the other database, and run \`vitrine move --from sqlite:${unused.file} --to "$DATABASE_URL"\`. Otherwise move the file away.`
  );
}

function isSameFile(one: string, other: string): boolean {
  return existsSync(one) && realpathSync(one) === realpathSync(other);
}
