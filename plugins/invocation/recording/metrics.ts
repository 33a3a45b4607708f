import type { MetricDeclaration } from '../../../core/index.ts';

export const batchSize: MetricDeclaration = {
  kind: 'histogram',
  name: 'call_record_batch_size',
  help: 'Records committed by one transaction.',
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
};

export const recordsWaiting: MetricDeclaration = {
  kind: 'gauge',
  name: 'call_records_waiting',
  help: 'Records of ended calls that wait for a transaction.',
};
