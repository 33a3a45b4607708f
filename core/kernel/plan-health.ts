import type { Wiring } from '../di/container.ts';
import type { Database } from '../persistence/database.ts';
import type { Clock } from '../support/clock.ts';
import { createHealth } from '../telemetry/health-report.ts';
import type { Health, HealthFinding } from '../telemetry/health.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Plan } from './plan.ts';

/** The health of the database and of every plugin that has a check. The wiring is asked when the first report is made. */
export function planHealth(
  plan: Plan,
  database: Database,
  around: { readonly clock: Clock; readonly logger: Logger },
  wiring: () => Wiring,
): Health {
  return createHealth({
    ...around,
    pingDatabase: () => database.ping(),
    checks: [
      ...plan.leftOut.map(({ id }) => ({ name: `${id}:left-out`, check: () => LEFT_OUT })),
      ...plan.plugins.flatMap(({ definition: { id, health = [] } }) =>
        health.map(({ name, deps, check }) => ({
          name: `${id}:${name}`,
          check: () => check(wiring().resolve(id, deps) as never),
        })),
      ),
    ],
  });
}

/** Not why: anybody may read this. */
const LEFT_OUT: HealthFinding = {
  state: 'degraded',
  detail: 'The plugin could not be used at the start and was left out; the log has the reason.',
};
