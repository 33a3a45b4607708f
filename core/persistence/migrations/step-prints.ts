import type { Database, Engine } from '../database.ts';
import { FINGERPRINT_FORM, fingerprintOf } from './fingerprint.ts';
import type { PluginMigrations } from './ledger.ts';

/** Made by the kernel's own steps. */
const TABLE = 'core_step_prints';

/** A step that ran here, as it was then. */
export interface StepPrint {
  readonly plugin: string;
  readonly step: string;
  readonly form: string;
  /** Empty for a step that never says the same twice, as one with the time in its text. */
  readonly fingerprint: string;
}

/** Of every step that ran here; undefined before the table is there, and empty until the first start was through. */
export async function readPrints({ knex }: Database): Promise<readonly StepPrint[] | undefined> {
  if (!(await knex.schema.hasTable(TABLE))) return undefined;
  return knex<StepPrint>(TABLE);
}

/** The steps of a plugin that ran here and were edited since. */
export async function changedSteps(
  prints: readonly StepPrint[],
  engine: Engine,
  plugin: PluginMigrations,
): Promise<string[]> {
  const changed: string[] = [];
  for (const step of plugin.migrations) {
    const print = printOf(prints, plugin.id, step.name);
    if (!print?.fingerprint) continue;
    if (print.fingerprint !== (await fingerprintOf(step, engine))) changed.push(step.name);
  }
  return changed;
}

/**
 * Remembers the steps that have no print yet; all of them ran. Answers those whose print of another release of knex said
 * something else: it words them otherwise, or they were edited.
 */
export async function rememberSteps(
  database: Database,
  plugins: readonly PluginMigrations[],
): Promise<readonly string[]> {
  const { knex, engine } = database;
  const prints = await readPrints(database);
  if (!prints) return [];
  const rows: StepPrint[] = [];
  for (const { id, migrations } of plugins) {
    for (const step of migrations) {
      if (printOf(prints, id, step.name)) continue;
      const twice = [await fingerprintOf(step, engine), await fingerprintOf(step, engine)] as const;
      const fingerprint = twice[0] === twice[1] ? twice[0] : '';
      rows.push({ plugin: id, step: step.name, form: FINGERPRINT_FORM, fingerprint });
    }
  }
  if (rows.length > 0) await knex(TABLE).insert(rows).onConflict(['plugin', 'step']).merge();
  return rows.filter((row) => saidOtherwise(prints, row)).map(({ plugin, step }) => `${plugin}.${step}`);
}

/** Prints of steps that never say the same twice tell nothing. */
function saidOtherwise(prints: readonly StepPrint[], { plugin, step, fingerprint }: StepPrint): boolean {
  const before = prints.find((print) => print.plugin === plugin && print.step === step);
  return Boolean(before?.fingerprint && fingerprint && before.fingerprint !== fingerprint);
}

/** One that can be compared. */
function printOf(prints: readonly StepPrint[], plugin: string, step: string): StepPrint | undefined {
  return prints.find(
    (print) => print.plugin === plugin && print.step === step && print.form === FINGERPRINT_FORM,
  );
}
