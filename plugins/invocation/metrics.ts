import type { MetricDeclaration } from '../../core/index.ts';
import { rowsDeleted } from './retention/metrics.ts';
import { batchSize, recordsWaiting } from './recording/metrics.ts';

export const callsTotal: MetricDeclaration = {
  kind: 'counter',
  name: 'calls_total',
  help: 'Recorded calls.',
  labels: ['status'],
};

export const callDuration: MetricDeclaration = {
  kind: 'histogram',
  name: 'call_duration_seconds',
  help: 'Time spent on endpoints.',
  buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
};

export const metrics: readonly MetricDeclaration[] = [
  callsTotal,
  callDuration,
  batchSize,
  recordsWaiting,
  rowsDeleted,
];
