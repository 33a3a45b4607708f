import type { Counter, Gauge, Histogram } from 'prom-client';
import { token } from '../di/token.ts';

/** A metric that a plugin declares; exposed at `/metrics`. Names follow Prometheus: unit and `_total` suffixes. */
export interface MetricDeclaration {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
}

/** The declared metrics of this kernel (one registry per kernel). Its methods throw for undeclared metrics. */
export interface Metrics {
  counter(name: string): Counter;
  gauge(name: string): Gauge;
  histogram(name: string): Histogram;
  /** Calls `measure` to set a gauge each time metrics are collected; the collection waits for it. It must not throw. */
  measured(name: string, measure: (gauge: Gauge) => void | Promise<void>): void;
  /** The metrics in the text format of Prometheus, of all worker processes if there are several. */
  expose(): Promise<{ contentType: string; text: string }>;
}

/** Counts and observes the metrics that plugins declared. */
export const METRICS = token<Metrics>('core:metrics');
