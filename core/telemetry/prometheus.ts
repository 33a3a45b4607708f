import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricsSnapshot } from './metrics-snapshot.ts';
import type { MetricDeclaration, Metrics } from './metrics.ts';

let shared: Registry | undefined;

/** The metrics of the process (memory, event loop, garbage collection), which all its kernels share. */
function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return shared;
}

/** The metrics of a kernel, and a snapshot of this process alone. */
export interface KernelMetrics extends Metrics {
  snapshot(): Promise<MetricsSnapshot>;
}

/**
 * Creates the metrics of one kernel, on prom-client, in a registry of its own. Throws when a name is declared twice or
 * belongs to the process metrics; its methods throw for an undeclared name and for another kind. `ofAll` returns the
 * metrics text when several processes serve as one.
 */
export function createMetrics(
  declarations: readonly MetricDeclaration[],
  ofAll?: () => Promise<string>,
): KernelMetrics {
  const registry = new Registry();
  for (const declaration of declarations) declare(declaration, registry);
  const gauge = (name: string): Gauge => find(registry, name, 'gauge', Gauge);
  return {
    counter: (name) => find(registry, name, 'counter', Counter),
    gauge,
    histogram: (name) => find(registry, name, 'histogram', Histogram),
    measured: (name, measure) => {
      const found = gauge(name);
      // The types of prom-client lack the documented `collect` of a metric.
      Object.assign(found, { collect: () => measure(found) });
    },
    expose: async () => ({
      contentType: registry.contentType,
      text: ofAll ? await ofAll() : `${await processMetrics().metrics()}\n${await registry.metrics()}`,
    }),
    snapshot: async () => [
      ...(await processMetrics().getMetricsAsJSON()),
      ...(await registry.getMetricsAsJSON()),
    ],
  };
}

/** Why prom-client does not accept a declaration; `undefined` when it does. */
export function metricFault(declaration: MetricDeclaration): string | undefined {
  try {
    declare(declaration, new Registry());
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function declare({ kind, name, help, labels, buckets }: MetricDeclaration, registry: Registry): void {
  if (registry.getSingleMetric(name) || processMetrics().getSingleMetric(name)) {
    throw new Error(`The metric "${name}" is declared twice.`);
  }
  const common = { name, help, labelNames: labels ?? [], registers: [registry] };
  if (kind === 'counter') new Counter(common);
  else if (kind === 'gauge') new Gauge(common);
  else new Histogram({ ...common, ...(buckets && { buckets: [...buckets] }) });
}

function find<M>(
  registry: Registry,
  name: string,
  kind: MetricDeclaration['kind'],
  type: new (...options: never[]) => M,
): M {
  const metric: unknown = registry.getSingleMetric(name);
  if (!metric) throw new Error(`The metric "${name}" was not declared; list it in the plugin's "metrics".`);
  if (!(metric instanceof type)) throw new Error(`The metric "${name}" is not a ${kind}.`);
  return metric;
}
