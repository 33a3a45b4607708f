import { withDeadline, type MetricDeclaration, type Metrics } from '../../core/index.ts';

/** How long a collection of metrics waits for the database. */
const COUNT_MS = 500;

export const checksTotal: MetricDeclaration = {
  kind: 'counter',
  name: 'vitrine_checks_runs_total',
  help: 'Checks of versions: passed, failed, or given up because the service was busy or stopped.',
  labels: ['outcome'],
};

export const checkSeconds: MetricDeclaration = {
  kind: 'histogram',
  name: 'vitrine_checks_run_seconds',
  help: 'How long the checks of versions took.',
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
};

const brokenVersions: MetricDeclaration = {
  kind: 'gauge',
  name: 'vitrine_checks_versions_broken',
  help: 'Versions whose last check failed.',
};

export const metrics: readonly MetricDeclaration[] = [checksTotal, checkSeconds, brokenVersions];

/** Counts the broken versions when metrics are collected, so that every process says the same. A silent database keeps the count. */
export function gaugeBroken(metrics: Metrics, broken: () => Promise<readonly string[]>): void {
  metrics.measured(brokenVersions.name, async (gauge) => {
    const found = await withDeadline(
      COUNT_MS,
      broken().catch(() => undefined),
      () => undefined,
    );
    if (found) gauge.set(found.length);
  });
}
