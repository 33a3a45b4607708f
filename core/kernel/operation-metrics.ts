import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenDatabase } from '../persistence/kernel-database.ts';
import { packageVersion, packageRoot } from '../support/package-root.ts';
import type { MetricDeclaration, Metrics } from '../telemetry/metrics.ts';

const BUILD = 'vitrine_build_info';
const SIZE = 'database_size_bytes';
const POOL = 'database_pool_connections';
const WAITING = 'database_pool_waiting';

/** The metrics of the build and of the database. */
export const operationMetrics: readonly MetricDeclaration[] = [
  {
    kind: 'gauge',
    name: BUILD,
    help: 'Always 1; the labels name the version, the revision of its source, Node.js and the engine of the database.',
    labels: ['version', 'revision', 'node', 'engine'],
  },
  { kind: 'gauge', name: SIZE, help: 'Bytes that the database takes.' },
  {
    kind: 'gauge',
    name: POOL,
    help: 'Connections for queries and transactions: used, idle, and max, which is the limit.',
    labels: ['state'],
  },
  { kind: 'gauge', name: WAITING, help: 'Queries and transactions that wait for a connection.' },
];

/** Sets the metrics when they are collected. None of it waits for the database: its size is that of the collection before. */
export function observeOperation(metrics: Metrics, database: OpenDatabase): void {
  metrics
    .gauge(BUILD)
    .labels(packageVersion(), buildRevision(), process.versions.node, database.engine)
    .set(1);
  const size = metrics.gauge(SIZE);
  const pool = metrics.gauge(POOL);
  const waiting = metrics.gauge(WAITING);
  const measure = (): void => {
    // While the database is away the last size stays.
    void database.size().then(
      (bytes) => size.set(bytes),
      () => undefined,
    );
    const use = database.poolUse();
    pool.set({ state: 'used' }, use.used);
    pool.set({ state: 'idle' }, use.idle);
    pool.set({ state: 'max' }, use.max);
    waiting.set(use.waiting);
  };
  measure();
  // It is collected before the two others.
  metrics.measured(SIZE, measure);
}

/** The commit from which an image was built, from the file `revision` that it has; `unknown` elsewhere. */
function buildRevision(): string {
  const file = join(packageRoot, 'revision');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : 'unknown';
}
