import { readFileSync, writeFileSync } from 'node:fs';
import { migrateUp } from '../../../cli/migrate-commands.ts';
import type { Engine } from '../../../core/index.ts';
import type { PluginDefinition } from '../../../core/kernel/plugin.ts';
import { openPlanDatabase } from '../../../core/kernel/core-services.ts';
import { makePlan, type Plan } from '../../../core/kernel/plan.ts';
import { systemClock } from '../../../core/support/clock.ts';
import { createLogger } from '../../../core/telemetry/pino-logger.ts';
import { builtInPlugins, makeScratch, type Scratch } from '../../../core/testing.ts';
import { makeMonthsAhead } from '../../../plugins/invocation/partitions/month-partitions.ts';
import { copyOf, makeTemplate } from './template-databases.ts';

/** Makes another database with the same tables. */
type Copy = () => Promise<Scratch>;

const templates = new Map<string, Promise<Copy>>();

/**
 * A database as the first start of a service leaves its tables: those of the built-in ones among the plugins, by default
 * of all, are there, and empty. They are made once in a process and copied from then on, in a tenth of the time.
 */
export async function migratedScratch(
  engine: Engine,
  plugins?: readonly PluginDefinition[],
): Promise<Scratch> {
  const builtIn = await builtInPlugins();
  const hasTheseTables = ({ id, migrations }: PluginDefinition): boolean =>
    builtIn.some((plugin) => plugin.id === id && plugin.migrations === migrations);
  const known = plugins?.filter(hasTheseTables) ?? builtIn;
  const key = [engine, ...known.map(({ id }) => id).toSorted()].join(' ');
  let copy = templates.get(key);
  if (!copy) templates.set(key, (copy = engine === 'sqlite' ? fileWith(known) : databaseWith(known)));
  return (await copy)();
}

async function fileWith(plugins: readonly PluginDefinition[]): Promise<Copy> {
  const made = await makeScratch('sqlite');
  try {
    await migrate(made.databaseUrl, plugins);
    const content = readFileSync(fileOf(made));
    return async () => {
      const scratch = await makeScratch('sqlite');
      writeFileSync(fileOf(scratch), content, { mode: 0o600 });
      return scratch;
    };
  } finally {
    await made.remove();
  }
}

function fileOf({ databaseUrl }: Scratch): string {
  return databaseUrl.slice('sqlite:'.length);
}

async function databaseWith(plugins: readonly PluginDefinition[]): Promise<Copy> {
  const template = await makeTemplate(async (url) => {
    const plan = await migrate(url, plugins);
    if (plugins.some(({ id }) => id === 'invocation')) await makePartitions(plan);
  });
  return () => copyOf(template);
}

async function migrate(url: string, definitions: readonly PluginDefinition[]): Promise<Plan> {
  const overrides = { database: { url }, log: { level: 'silent' } };
  const plan = await makePlan({ env: {}, cwd: '.', definitions, overrides });
  await migrateUp(plan);
  return plan;
}

/** Those of the coming months, which the first start makes in a third of its time. */
async function makePartitions(plan: Plan): Promise<void> {
  const deps = { clock: systemClock, logger: createLogger({ level: 'silent' }) };
  const database = await openPlanDatabase(plan, deps);
  try {
    await makeMonthsAhead({ database, ...deps });
  } finally {
    await database.close();
  }
}
