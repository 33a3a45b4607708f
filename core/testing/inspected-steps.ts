import { loadConfiguration } from '../config/load.ts';
import type { PluginDefinition } from '../kernel/plugin.ts';
import type { Engine, Transaction } from '../persistence/database.ts';
import type { Migration } from '../persistence/migrations/ledger.ts';
import { openDatabase } from '../persistence/open-database.ts';
import { DatabaseSettings } from '../persistence/settings.ts';
import { systemClock } from '../support/clock.ts';
import { createLogger } from '../telemetry/pino-logger.ts';
import { changedTables } from './changed-tables.ts';
import { makeScratch } from './scratch.ts';

/** A plugin with its migrations. */
export type PluginTables = Pick<PluginDefinition, 'id' | 'migrations'>;

/** One step and what it did on an empty database. */
export interface InspectedStep {
  readonly plugin: string;
  readonly step: string;
  /** The statements that it ran, without bound values. */
  readonly statements: readonly string[];
  /** The tables that its statements created, changed, dropped or wrote into. */
  readonly tables: readonly string[];
}

const NOTHING_SET = { sections: [DatabaseSettings], files: [], env: {} };

/** Runs the steps of plugins, in the order given, on an empty database of the engine. Throws what a step throws. */
export async function inspectSteps(
  engine: Engine,
  plugins: readonly PluginTables[],
): Promise<InspectedStep[]> {
  const scratch = await makeScratch(engine);
  const database = await openDatabase({
    url: scratch.databaseUrl,
    dataDir: scratch.dataDir,
    logger: createLogger({ level: 'silent' }),
    clock: systemClock,
    settings: loadConfiguration(NOTHING_SET).valuesOf(DatabaseSettings),
  });
  const inspected: InspectedStep[] = [];
  try {
    for (const { id, migrations = [] } of plugins) {
      for (const step of migrations) {
        const statements = await database.alone((trx) => statementsOf(trx, engine, step));
        inspected.push({
          plugin: id,
          step: step.name,
          statements,
          tables: statements.flatMap(changedTables),
        });
      }
    }
  } finally {
    await database.close();
    await scratch.remove();
  }
  return inspected;
}

/** Excluded, because knex numbers savepoints over the lifetime of the process. */
const SAVEPOINT = /^\s*(?:savepoint|release|rollback to)\b/i;

async function statementsOf(trx: Transaction, engine: Engine, step: Migration): Promise<readonly string[]> {
  const statements: string[] = [];
  const record = ({ sql }: { readonly sql: string }): void => {
    if (!SAVEPOINT.test(sql)) statements.push(sql);
  };
  trx.on('query', record);
  await step.up(trx, engine);
  trx.removeListener('query', record);
  return statements;
}
