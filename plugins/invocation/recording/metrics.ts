import type { MetricDeclaration, Metrics } from '../../../core/index.ts';
import type { CallRow } from './call-row.ts';
import type { SpoolSize } from './spool.ts';

const callsTotal: MetricDeclaration = {
  kind: 'counter',
  name: 'calls_total',
  help: 'Recorded calls.',
  labels: ['status'],
};

const callDuration: MetricDeclaration = {
  kind: 'histogram',
  name: 'call_duration_seconds',
  help: 'Time spent on endpoints.',
  buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
};

const batchSize: MetricDeclaration = {
  kind: 'histogram',
  name: 'call_record_batch_size',
  help: 'Records committed by one transaction.',
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
};

const recordsWaiting: MetricDeclaration = {
  kind: 'gauge',
  name: 'call_records_waiting',
  help: 'Records of ended calls that wait for a transaction.',
};

const storeAway: MetricDeclaration = {
  kind: 'gauge',
  name: 'call_records_store_away',
  help: '1 while the database takes no records and calls are refused, otherwise 0.',
};

const spool: readonly MetricDeclaration[] = [
  {
    kind: 'gauge',
    name: 'call_spool_batches',
    help: 'Batches of records that wait in the spool.',
  },
  { kind: 'gauge', name: 'call_spool_bytes', help: 'Bytes of the files in the spool.' },
  {
    kind: 'gauge',
    name: 'call_spool_refused_files',
    help: 'Files in the spool with records that the database can never store.',
  },
];

/** The metrics of records. */
export const recordMetrics: readonly MetricDeclaration[] = [
  callsTotal,
  callDuration,
  batchSize,
  recordsWaiting,
  storeAway,
  ...spool,
];

/** Makes the function that counts stored records. Sets the gauge of waiting records when metrics are collected. */
export function callCounter(metrics: Metrics, depth: () => number): (calls: readonly CallRow[]) => void {
  const sizes = metrics.histogram(batchSize.name);
  metrics.measured(recordsWaiting.name, (waiting) => waiting.set(depth()));
  const total = metrics.counter(callsTotal.name);
  const duration = metrics.histogram(callDuration.name);
  const [succeeded, failed] = [total.labels('success'), total.labels('failed')];
  return (calls) => {
    const successes = calls.filter(({ status }) => status === 'success').length;
    sizes.observe(calls.length);
    succeeded.inc(successes);
    failed.inc(calls.length - successes);
    for (const { response_time } of calls) duration.observe(response_time);
  };
}

/** Sets the gauges of the store and of the spool when metrics are collected. A spool that cannot be read keeps its values. */
export function gaugeBacklog(metrics: Metrics, isAway: () => boolean, size: () => Promise<SpoolSize>): void {
  metrics.measured(storeAway.name, (away) => away.set(isAway() ? 1 : 0));
  const parts = ['batches', 'bytes', 'refused'] as const;
  parts.forEach((part, at) => {
    metrics.measured(spool[at]!.name, async (gauge) => {
      const found = await size().catch(() => undefined);
      if (found) gauge.set(found[part]);
    });
  });
}
