import type { MetricDeclaration } from './metrics.ts';

/** The names of metrics and labels in the data model of Prometheus. */
const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** The parts of a declaration that Prometheus would not accept, one sentence each. */
export function metricFaults(declaration: MetricDeclaration): string[] {
  const { kind, name, help, labels = [], buckets = [] } = declaration;
  const faults: string[] = [];
  if (!NAME.test(name)) {
    faults.push(
      `"${name}" cannot be the name of a metric: use letters, digits, _ and :, and no digit first.`,
    );
  }
  if (!help) {
    faults.push(`the metric "${name}" has no help text. Say in a sentence what it counts or measures.`);
  }
  for (const label of labels) {
    if (LABEL.test(label) && !(kind === 'histogram' && label === 'le')) continue;
    faults.push(
      `the metric "${name}" cannot have a label "${label}": use letters, digits and _, no digit first, and not "le" for a histogram.`,
    );
  }
  if (buckets.some((bound, at) => !(bound > (buckets[at - 1] ?? -Infinity)) || bound === Infinity)) {
    faults.push(`the buckets of the metric "${name}" must be finite and ascending: ${buckets.join(', ')}.`);
  }
  return faults;
}
