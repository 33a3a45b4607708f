import { existsSync, realpathSync } from 'node:fs';
import { StartupError } from '../../core/errors/startup-error.ts';
import { migrationsOf } from '../../core/kernel/migrations.ts';
import type { Plan } from '../../core/kernel/plan.ts';
import { locate, locationComplaint, type DatabaseLocation } from '../../core/persistence/location.ts';
import { claimForService } from '../../core/persistence/sqlite/service-lock.ts';
import { filesIn } from './archive/folder-files.ts';
import { beginLoading } from './begin-loading.ts';
import { refuseDifferences } from './compare.ts';
import { moveTables, type Moved } from './move.ts';
import { openSource, openTarget } from './open.ts';
import { serviceConnections } from './postgres/session.ts';
import { refuseUnfit, type RowSource } from './row-source.ts';
import { stepsOfSource } from './source-steps.ts';
import { systemClock } from '../../core/support/clock.ts';
import type { Answer } from '../output.ts';
import { dataOf, type DataOfInstallation } from './installation.ts';
import { showProgress } from './show-progress.ts';

export interface MoveOptions {
  /** The URL of the database; that of the settings when it is missing. */
  readonly from: string | undefined;
  readonly to: string;
  /** Moves from a PostgreSQL to which services are connected, perhaps those of another installation. */
  readonly ignoresConnections: boolean;
  readonly json: boolean;
}

/** `move`: copies everything from one database into another, empty one; goes on when it was interrupted. */
export async function moveDatabase(plan: Plan, options: MoveOptions): Promise<Answer> {
  const installation = dataOf(plan);
  const from = options.from === undefined ? installation.location : located('--from', options.from);
  const to = located('--to', options.to);
  refuseSame(from, to);
  const releaseSource = await claimSource(from, options);
  try {
    const source = await openSource(from);
    try {
      refuseUnfit(source);
      return await moveInto(plan, installation, source, { to, options });
    } finally {
      await source.close();
    }
  } finally {
    releaseSource();
  }
}

async function moveInto(
  plan: Plan,
  installation: DataOfInstallation,
  source: RowSource,
  { to, options }: { readonly to: DatabaseLocation; readonly options: MoveOptions },
): Promise<Answer> {
  const steps = stepsOfSource(migrationsOf(plan), source.applied, `The database (${source.description})`);
  const progress = showProgress(systemClock, options.json);
  const release = to.engine === 'sqlite' ? claimForService(to.file) : () => undefined;
  try {
    const target = await openTarget(to);
    try {
      if (target.description === source.description) throw sameDatabase(target.description);
      const { logger, open, makeRoom } = installation;
      const transfer = { command: 'move', from: source.description } as const;
      await beginLoading({ target, transfer, steps, logger, open: () => open(options.to) });
      const moved = await moveTables({
        source,
        target,
        targetLocation: to,
        progress,
        makeRoom: (table, range) => makeRoom(options.to, table, range),
      });
      refuseDifferences(moved.comparisons, `${source.description} may be in use. Nothing in it was changed:`);
      await target.finish();
      return answer(installation, source, target.description, moved);
    } finally {
      progress.done();
      await target.close();
    }
  } finally {
    release();
  }
}

function located(option: string, url: string): DatabaseLocation {
  const complaint = url === '' ? 'must name a database' : locationComplaint(url);
  if (complaint) throw new StartupError(`The URL of ${option} ${complaint}.`);
  return locate(url, '.');
}

function refuseSame(from: DatabaseLocation, to: DatabaseLocation): void {
  const placeOf = (location: DatabaseLocation): string => {
    if (location.engine === 'postgres') return location.connectionString;
    return existsSync(location.file) ? realpathSync(location.file) : location.file;
  };
  if (placeOf(from) === placeOf(to)) throw sameDatabase('the one that both URLs name');
}

function sameDatabase(description: string): StartupError {
  return new StartupError(
    `A database cannot be moved to itself (${description}). Name an empty one with --to.`,
  );
}

/** What a service writes during the move would be missing, so the source must be at rest. */
async function claimSource(from: DatabaseLocation, { ignoresConnections }: MoveOptions): Promise<() => void> {
  if (from.engine === 'sqlite') {
    if (!existsSync(from.file))
      throw new StartupError(`There is no SQLite file ${from.file}. Correct --from.`);
    return claimForService(from.file, (file) => inUse(`A service runs on ${file}`));
  }
  const count = ignoresConnections ? 0 : await serviceConnections(from);
  if (count === 0) return () => undefined;
  throw inUse(
    `Services of Vitrine have ${count} connections to ${from.shown}`,
    ' If they belong to another installation, in another schema of the same database, add --ignore-connections.',
  );
}

function inUse(finding: string, otherwise = ''): StartupError {
  return new StartupError(
    `${finding}, and what it writes during the move would be lost. Stop every instance first, and start it on the new database afterwards.${otherwise}`,
  );
}

function answer(
  { dataDir, folders }: DataOfInstallation,
  source: RowSource,
  description: string,
  { comparisons, leftOut, isResumed }: Moved,
): Answer {
  const tables = comparisons.map(({ table, found }) => ({ name: table, ...found }));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0).toLocaleString('en');
  const waiting = filesIn(dataDir, folders).length;
  const lines = [
    `Moved ${rows} rows of ${tables.length} tables from ${source.description} to ${description}. Counts and hashes of all tables agree.`,
    ...(leftOut.length > 0 ? [`This engine has no tables ${leftOut.join(', ')}; they are left out.`] : []),
    ...(source.foreign.length > 0
      ? [`Tables of no plugin are not moved: ${source.foreign.join(', ')}.`]
      : []),
    ...(waiting > 0 ? [`${waiting} files of records wait in ${dataDir}; the next start stores them.`] : []),
    'Set DATABASE_URL to the new database, keep DATA_DIR with its secrets, and start. The old database is as it was: move it away when all is well.',
  ];
  return {
    message: lines.join('\n'),
    data: { from: source.description, to: description, resumed: isResumed, tables, left_out: leftOut },
  };
}
