import { VAULT, type Vault } from '../../core/auth/vault.ts';
import { CLOCK } from '../../core/di/clock-token.ts';
import type { Dependencies } from '../../core/di/token.ts';
import { BACKENDS, type BackendClient } from '../../core/egress/backend.ts';
import { EGRESS, type Egress } from '../../core/egress/egress.ts';
import { DATA_DIRECTORY } from '../../core/kernel/data-directory.ts';
import type { Plan } from '../../core/kernel/plan.ts';
import { DATABASE, type Database } from '../../core/persistence/database.ts';
import type { MigrationStatus } from '../../core/persistence/migrations/status.ts';
import type { Clock } from '../../core/support/clock.ts';
import type { DoctorFinding } from '../../core/telemetry/doctor-check.ts';

/** What the checks of plugins may depend on. */
export interface DoctorTools {
  readonly clock: Clock;
  readonly egress: Egress;
  readonly backends: BackendClient;
  readonly vault: Vault;
  readonly dataDir: string;
  /** `undefined` while it is away. */
  readonly database: Database | undefined;
  readonly status: readonly MigrationStatus[];
}

/** A check that is ready to run. */
export interface BoundDoctorCheck {
  /** `<plugin>:<check>`. */
  readonly name: string;
  readonly check: () => readonly DoctorFinding[] | Promise<readonly DoctorFinding[]>;
}

/** The checks that plugins contribute. */
export function pluginChecks(plan: Plan, tools: DoctorTools): readonly BoundDoctorCheck[] {
  return plan.plugins.flatMap(({ definition: { id, config, doctor = [] } }) => {
    const values = new Map<string, unknown>([
      [CLOCK.id, tools.clock],
      [EGRESS.id, tools.egress],
      [BACKENDS.id, tools.backends],
      [VAULT.id, tools.vault],
      [DATA_DIRECTORY.id, tools.dataDir],
      [DATABASE.id, tools.database],
      ...(config ? [[config.token.id, plan.configuration.valuesOf(config)] as const] : []),
    ]);
    return doctor.map(({ name, deps, check }) => ({
      name: `${id}:${name}`,
      check: () => obstacleOf(id, deps, tools) ?? check(resolved(`${id}:${name}`, deps, values) as never),
    }));
  });
}

/** Why a check that needs the database cannot run now. */
function obstacleOf(
  plugin: string,
  deps: Dependencies,
  { database, status }: DoctorTools,
): readonly DoctorFinding[] | undefined {
  if (!Object.values(deps).some((dep) => dep.kind === 'token' && dep.id === DATABASE.id)) return undefined;
  if (!database) {
    const message = 'Not checked, because the database cannot be used.';
    return [{ state: 'warning', message, mend: 'Mend what core:database says first.' }];
  }
  const { pending = [] } = status.find((one) => one.plugin === plugin) ?? {};
  if (pending.length === 0) return undefined;
  return [
    { state: 'warning', message: 'Not checked, because tables are missing.', mend: 'vitrine migrate up' },
  ];
}

function resolved(
  name: string,
  deps: Dependencies,
  values: ReadonlyMap<string, unknown>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(deps).map(([key, { id }]) => {
      if (!values.has(id)) {
        throw new Error(
          `The check ${name} depends on ${id}, which the doctor does not have; it has ${[...values.keys()].join(', ')}.`,
        );
      }
      return [key, values.get(id)];
    }),
  );
}
