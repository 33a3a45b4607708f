import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupError } from '../../core/errors/startup-error.ts';
import type { DatabaseLocation } from '../../core/persistence/location.ts';
import type { OpenDatabase } from '../../core/persistence/kernel-database.ts';
import { refuseUnfinishedTransfer } from '../../core/persistence/migrations/unfinished-transfer.ts';
import type { MigrationStatus } from '../../core/persistence/migrations/status.ts';
import type { Database } from '../../core/persistence/database.ts';
import { isServed } from '../../core/persistence/sqlite/service-lock.ts';
import { readableBytes } from './bytes.ts';
import type { Clock } from '../../core/support/clock.ts';
import type { DoctorFinding } from '../../core/telemetry/doctor-check.ts';
import { diskFindings } from './disk.ts';
import { processesWith } from './open-files.ts';

/** Whether SQLite finds its own file whole; PostgreSQL looks after its files itself. */
export async function integrityFindings({
  engine,
  knex,
}: Pick<Database, 'engine' | 'knex'>): Promise<DoctorFinding[]> {
  if (engine !== 'sqlite') return [];
  const rows = (await knex.raw('PRAGMA integrity_check(5)')) as { integrity_check: string }[];
  const faults = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  if (faults.length === 0) return [{ state: 'ok', message: 'The database passes its integrity check.' }];
  return [
    {
      state: 'fault',
      message: `The database is damaged: ${faults.join('; ')}`,
      mend: 'Stop the service and restore a backup (docs/deployment.md, "Back up, restore, move").',
    },
  ];
}

/** Whether a restore or a move into the database has ended; while it has not, nothing starts. */
export async function transferFindings(database: OpenDatabase): Promise<DoctorFinding[]> {
  try {
    await refuseUnfinishedTransfer(database);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const mend = 'Run the same `vitrine restore` or `vitrine move` again.';
    return [{ state: 'fault', message: error.message, mend }];
  }
  return [{ state: 'ok', message: 'No restore or move into the database is unfinished.' }];
}

/** Whether the tables are those of this version. */
export function migrationFindings(status: readonly MigrationStatus[]): DoctorFinding[] {
  const findings = status.flatMap(({ plugin, pending, unknown }): DoctorFinding[] => [
    ...(unknown.length > 0
      ? [
          {
            state: 'fault' as const,
            message: `The tables of ${plugin} have steps that this version does not know: ${unknown.join(', ')}.`,
            mend: 'Install the newer version again, or restore a backup from before it.',
          },
        ]
      : []),
    ...(pending.length > 0
      ? [
          {
            state: 'warning' as const,
            message: `The tables of ${plugin} lack ${pending.join(', ')}; the next start applies that.`,
            mend: 'vitrine migrate up',
          },
        ]
      : []),
  ]);
  return findings.length > 0 ? findings : [{ state: 'ok', message: 'Every table is up to date.' }];
}

/** How large the database is, and whether it may grow. */
export async function sizeFindings(database: Database, location: DatabaseLocation): Promise<DoctorFinding[]> {
  const size: DoctorFinding = {
    state: 'ok',
    message: `The database has ${readableBytes(await database.size())}.`,
  };
  if (location.engine !== 'sqlite') return [size];
  return [size, ...diskFindings('The disk of the database', dirname(location.file))];
}

const NOTICEABLE_MS = 2_000;
const HARMFUL_MS = 60_000;

/** How far the clock of this machine is from that of PostgreSQL. */
export async function databaseClockFindings(database: Database, clock: Clock): Promise<DoctorFinding[]> {
  if (database.engine !== 'postgres') return [];
  const before = clock.now();
  const { rows } = (await database.knex.raw(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  )) as { rows: { now: number }[] };
  const here = (before + clock.now()) / 2;
  const apart = Math.round(here - rows[0]!.now);
  const seconds = (Math.abs(apart) / 1000).toFixed(1);
  if (Math.abs(apart) <= NOTICEABLE_MS)
    return [{ state: 'ok', message: `The clock is ${seconds} s from that of the database.` }];
  return [
    {
      state: Math.abs(apart) > HARMFUL_MS ? 'fault' : 'warning',
      message: `The clock is ${seconds} s ${apart > 0 ? 'ahead of' : 'behind'} that of the database; instances must agree on the time.`,
      mend: 'timedatectl set-ntp true',
    },
  ];
}

/** Which processes use the SQLite file. */
export function occupancyFindings(
  location: DatabaseLocation,
  users: (file: string) => readonly string[] = processesWith,
): DoctorFinding[] {
  if (location.engine !== 'sqlite' || !existsSync(location.file)) return [];
  const { file } = location;
  const others = users(file);
  if (others.length > 1) {
    return [
      {
        state: 'warning',
        message: `Several processes have ${file} open: ${others.join(', ')}. Only one service may use it.`,
        mend: `Stop what does not belong there: fuser -v ${file}`,
      },
    ];
  }
  const who = others[0] === undefined ? '' : ` (${others[0]})`;
  let served: boolean;
  try {
    served = isServed(file);
  } catch (error) {
    const message = `Whether a service uses ${file} cannot be seen, because its lock ${file}.lock cannot be opened: ${(error as Error).message}.`;
    return [{ state: 'warning', message, mend: 'Run the doctor as the user of the service.' }];
  }
  return [
    {
      state: 'ok',
      message: served
        ? `A running service${who} uses ${file}.`
        : `No running service uses ${file}${others[0] === undefined ? '' : `, but another process does${who}`}.`,
    },
  ];
}
