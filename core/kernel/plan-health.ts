import type { Wiring } from '../di/container.ts';
import type { Database } from '../persistence/database.ts';
import type { Clock } from '../support/clock.ts';
import { createHealth } from '../telemetry/health-report.ts';
import type { Health, HealthFinding } from '../telemetry/health.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Jobs } from './jobs/job-state.ts';
import type { Plan } from './plan.ts';

interface HealthSurroundings {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobs: Jobs;
  /** Called for the first report. */
  readonly wiring: () => Wiring;
}

/** The health of the database, of the jobs and of every plugin with a check. */
export function planHealth(
  plan: Plan,
  { database, clock, logger, jobs, wiring }: HealthSurroundings,
): Health {
  const hasJobs = plan.plugins.some(({ definition }) => definition.jobs?.length);
  return createHealth({
    clock,
    logger,
    checks: [
      { name: 'core:database', check: () => database.ping().then(() => HEALTHY), failure: 'unhealthy' },
      ...(hasJobs ? [{ name: 'core:jobs', check: () => jobHealth(jobs) }] : []),
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

const HEALTHY: HealthFinding = { state: 'healthy' };

/** Omits the reason, because the report is public. */
const LEFT_OUT: HealthFinding = {
  state: 'degraded',
  detail: 'The plugin could not be used at the start and was left out; the log has the reason.',
};

/** Fewer consecutive failures may be a short outage. */
const MANY_FAILURES = 3;

async function jobHealth(jobs: Jobs): Promise<HealthFinding> {
  const failing = (await jobs.list()).filter(({ failures }) => failures >= MANY_FAILURES).map(({ id }) => id);
  if (failing.length === 0) return HEALTHY;
  return {
    state: 'degraded',
    detail: `The last ${MANY_FAILURES} runs or more failed of: ${failing.join(', ')}. \`vitrine jobs list\` shows why.`,
  };
}
