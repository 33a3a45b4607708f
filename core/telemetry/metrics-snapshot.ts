import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

/** A metric with its values, as `getMetricsAsJSON` of a registry returns it. */
type MetricValues = Pick<
  MetricObjectWithValues<MetricValue<string>>,
  'name' | 'help' | 'type' | 'aggregator' | 'values'
>;

/** All metrics of one process at one time: its own, and those that the kernel and the plugins declared. */
export type MetricsSnapshot = readonly MetricValues[];

/** The same metrics with one more label. */
export function labelled(metrics: MetricsSnapshot, label: Readonly<Record<string, string>>): MetricsSnapshot {
  return metrics.map((metric) => ({
    ...metric,
    // The label makes all values distinct, so `sum` never adds any; other aggregators of prom-client would omit some.
    aggregator: 'sum',
    values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, ...label } })),
  }));
}

/** A registry with the metrics of several processes. */
export function merged(snapshots: readonly MetricsSnapshot[]): Registry {
  return AggregatorRegistry.aggregate([...snapshots]);
}
