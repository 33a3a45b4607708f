import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client';

/** A metric with its values, as plain data. */
export type MetricFigures = Pick<
  MetricObjectWithValues<MetricValue<string>>,
  'name' | 'help' | 'type' | 'aggregator' | 'values'
>;

/** What one process counts and measures. */
export interface Figures {
  /** Memory, event loop and garbage collection. */
  readonly process: readonly MetricFigures[];
  /** What the kernel and the plugins declared. */
  readonly declared: readonly MetricFigures[];
}

/** Whether a metric counts events, rather than tells how things stand. */
export function isCount({ type }: MetricFigures): boolean {
  return ['counter', 'histogram'].includes(String(type));
}

/** The same with one more label. */
export function labelled({ values, ...metric }: MetricFigures, label: Record<string, string>): MetricFigures {
  const labelledValues = values.map((value) => ({ ...value, labels: { ...value.labels, ...label } }));
  // Values that a label tells apart are never put together; some of the process would be left out otherwise.
  return { ...metric, aggregator: 'sum', values: labelledValues };
}

/** Puts the metrics of several processes together, each in the way that it declares. */
export function together(lists: readonly (readonly MetricFigures[])[]): Registry {
  return AggregatorRegistry.aggregate([...lists]);
}

/** The same as plain data. */
export function added(lists: readonly (readonly MetricFigures[])[]): readonly MetricFigures[] {
  const metrics = together(lists).getMetricsAsArray() as unknown as readonly MetricFigures[];
  return metrics.map(({ name, help, type, aggregator, values }) => ({
    name,
    help,
    type,
    aggregator,
    values,
  }));
}
