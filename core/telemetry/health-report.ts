import type { Clock } from '../support/clock.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Health, HealthFinding, HealthReport, HealthState } from './health.ts';
import type { Logger } from './logger.ts';

/** A health check with resolved dependencies. */
export interface BoundHealthCheck {
  /** `<plugin>:<check>`, unique. */
  readonly name: string;
  readonly check: () => HealthFinding | Promise<HealthFinding>;
  /** The state when it throws or is late. Default `degraded`, because the service may still work. */
  readonly failure?: HealthState;
}

export interface HealthOptions {
  readonly checks: readonly BoundHealthCheck[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds that a check may take. */
  readonly deadlineMs?: number;
}

/** A report is cached for these milliseconds, so that frequent probes are cheap. */
const CACHE_MS = 1000;

const RANK: Readonly<Record<HealthState, number>> = { healthy: 0, degraded: 1, unhealthy: 2 };

/** Runs all checks concurrently; the worst state is the result. */
export function createHealth(options: HealthOptions): Health {
  const { clock } = options;
  let cached: { readonly report: Promise<HealthReport>; readonly until: number } | undefined;
  return {
    report() {
      const now = clock.elapsed();
      if (!cached || now >= cached.until) {
        cached = { report: makeReport(options), until: now + CACHE_MS };
      }
      return cached.report;
    },
  };
}

async function makeReport({ checks, logger, deadlineMs = 1000 }: HealthOptions): Promise<HealthReport> {
  const late = (): never => {
    throw new Error(`No answer within ${deadlineMs} ms.`);
  };
  const findingOf = async ({ check }: BoundHealthCheck): Promise<HealthFinding> => {
    const finding = (await check()) as HealthFinding | undefined;
    if (finding && Object.hasOwn(RANK, finding.state)) return finding;
    throw new Error(
      `The check answered ${JSON.stringify(finding)}; it must be { state }, which is one of ${Object.keys(RANK).join(', ')}.`,
    );
  };
  const findings = await Promise.all(
    checks.map(async (check) => {
      const { name, failure = 'degraded' } = check;
      const finding = await withDeadline(deadlineMs, findingOf(check), late).catch((error: unknown) => {
        logger.warn({ check: name, err: error }, 'A health check failed');
        return {
          state: failure,
          detail: 'The check failed or did not answer in time; the log has the reason.',
        };
      });
      return [name, finding] as const;
    }),
  );
  return { state: worst(findings.map(([, { state }]) => state)), findings: Object.fromEntries(findings) };
}

function worst(states: readonly HealthState[]): HealthState {
  return states.reduce((a, b) => (RANK[b] > RANK[a] ? b : a), 'healthy');
}
