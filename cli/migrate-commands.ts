import { dataDirectory, openPlanDatabase, planLocation } from '../core/kernel/core-services.ts';
import { migrationsOf } from '../core/kernel/migrations.ts';
import type { Plan } from '../core/kernel/plan.ts';
import { DataSettings } from '../core/kernel/settings.ts';
import { missingFile } from '../core/persistence/location.ts';
import { migrate } from '../core/persistence/migrations/migrate.ts';
import { migrationStatus } from '../core/persistence/migrations/status.ts';
import { systemClock } from '../core/support/clock.ts';
import { createLogger } from '../core/telemetry/pino-logger.ts';
import { LoggingSettings } from '../core/telemetry/settings.ts';
import { columns, type Answer } from './output.ts';

/** `migrate status`: the applied, pending and unknown migrations of each plugin. Makes no database. */
export async function migrationState(plan: Plan): Promise<Answer> {
  const isThere = missingFile(planLocation(plan)) === undefined;
  const database = isThere ? await openFor(plan) : undefined;
  try {
    const status = await migrationStatus(database, migrationsOf(plan));
    const rows = status.flatMap(({ plugin, applied, pending, unknown }) => [
      ...applied.map((name) => [plugin, name, 'applied']),
      ...pending.map((name) => [plugin, name, 'pending']),
      ...unknown.map((name) => [plugin, name, 'applied, unknown to this version']),
    ]);
    return { message: columns([['PLUGIN', 'MIGRATION', 'STATE'], ...rows]), data: status };
  } finally {
    await database?.close();
  }
}

/** `migrate up`: applies the pending migrations. */
export async function migrateUp(plan: Plan): Promise<Answer> {
  dataDirectory(plan.configuration.valuesOf(DataSettings).dir);
  const database = await openFor(plan);
  try {
    const done = await migrate(database, migrationsOf(plan), { logger: loggerOf(plan) });
    const lines = done.flatMap(({ plugin, applied }) => applied.map((name) => `${plugin}: applied ${name}`));
    return { message: lines.length > 0 ? lines.join('\n') : 'Every table is up to date.', data: done };
  } finally {
    await database.close();
  }
}

const loggerOf = (plan: Plan) => createLogger(plan.configuration.valuesOf(LoggingSettings));
const openFor = (plan: Plan) => openPlanDatabase(plan, { clock: systemClock, logger: loggerOf(plan) });
