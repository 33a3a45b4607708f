import type { Migration } from '../persistence/migration.ts';
import type { Plan } from './plan.ts';

/** The migrations of every enabled plugin, in boot order. */
export function migrationsOf(
  plan: Plan,
): readonly { readonly id: string; readonly migrations: readonly Migration[] }[] {
  return plan.plugins
    .map(({ definition: { id, migrations = [] } }) => ({ id, migrations }))
    .filter(({ migrations }) => migrations.length > 0);
}
