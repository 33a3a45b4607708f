import { coreMigrations } from '../persistence/migrations/core-migrations.ts';
import type { PluginMigrations } from '../persistence/migrations/ledger.ts';
import type { Plan } from './plan.ts';

/** The migrations of the kernel and of every enabled plugin, in boot order. */
export function migrationsOf(plan: Plan): readonly PluginMigrations[] {
  const plugins = plan.plugins.map(({ definition: { id, migrations = [] } }) => ({ id, migrations }));
  return [coreMigrations, ...plugins.filter(({ migrations }) => migrations.length > 0)];
}
