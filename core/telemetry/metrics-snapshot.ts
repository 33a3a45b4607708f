import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

/** A metric with its values, as `getMetricsAsJSON` of a registry returns it. */
export type MetricValues = Pick<
  MetricObjectWithValues<MetricValue<string>>,
  'name' | 'help' | 'type' | 'aggregator' | 'values'
>;

/** All metrics of one process at one time. */
export interface MetricsSnapshot {
  /** Memory, event loop and garbage collection. */
  readonly process: readonly MetricValues[];
  /** The metrics that the kernel and the plugins declared. */
  readonly declared: readonly MetricValues[];
}

/** Whether a metric counts events, rather than measures a state. */
export function isCount({ type }: MetricValues): boolean {
  return ['counter', 'histogram'].includes(String(type));
}

/** The same metric with one more label. */
export function labelled({ values, ...metric }: MetricValues, label: Record<string, string>): MetricValues {
  const labelledValues = values.map((value) => ({ ...value, labels: { ...value.labels, ...label } }));
  // The label makes all values distinct, so `sum` never adds any; other aggregators of prom-client would omit some.
  return { ...metric, aggregator: 'sum', values: labelledValues };
}

/** A registry with the metrics of several processes, each aggregated as it declares. */
export function aggregated(lists: readonly (readonly MetricValues[])[]): Registry {
  return AggregatorRegistry.aggregate([...lists]);
}

/** The same as plain data. */
export function aggregatedValues(lists: readonly (readonly MetricValues[])[]): readonly MetricValues[] {
  const metrics = aggregated(lists).getMetricsAsArray() as unknown as readonly MetricValues[];
  return metrics.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    type,
    aggregator,
    values,
  }));
}
