import type { Counter, Gauge, Histogram } from 'prom-client';
import { token } from '../di/token.ts';

/** A metric that a plugin declares; exposed at `/metrics`. Names follow Prometheus: unit and `_total` suffixes. */
export interface MetricDeclaration {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly buckets?: readonly number[];
  /** How a gauge of several worker processes becomes one figure; `sum` by default, and always for counts. */
  readonly across?: 'sum' | 'average' | 'min' | 'max';
}

/** The values of a histogram that share their labels. */
export interface Observations {
  /** Throws `TypeError` for what is no number. */
  observe(value: number): void;
}

/** The declared metrics of this kernel (one registry per kernel). Asking for an undeclared one throws. */
export interface Metrics {
  counter(name: string): Counter;
  gauge(name: string): Gauge;
  histogram(name: string): Histogram;
  /** Prometheus text exposition, of all worker processes where there are several. */
  expose(): Promise<{ contentType: string; text: string }>;
}

/** The metrics that plugins declared, to count and observe. */
export const METRICS = token<Metrics>('core:metrics');
