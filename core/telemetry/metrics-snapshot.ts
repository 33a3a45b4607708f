import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** A metric with its values, as `getMetricsAsJSON` of a registry returns it. */
type MetricValues = Pick<
  MetricObjectWithValues<MetricValue<string>>,
  'name' | 'help' | 'type' | 'aggregator' | 'values'
>;

/** All metrics of one process at one time: its own, and those that the kernel and the plugins declared. */
export type MetricsSnapshot = readonly MetricValues[];
