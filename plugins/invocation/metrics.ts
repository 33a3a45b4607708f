import type { MetricDeclaration } from '../../core/index.ts';
import { recordMetrics } from './recording/metrics.ts';

export const rowsDeleted: MetricDeclaration = {
  kind: 'counter',
  name: 'retention_rows_deleted_total',
  help: 'Records deleted, and records whose payload was deleted, because they are kept no longer.',
  labels: ['kind'],
};

/** All metrics of this plugin. */
export const metrics: readonly MetricDeclaration[] = [...recordMetrics, rowsDeleted];
