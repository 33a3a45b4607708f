import type { MetricValueWithName } from 'prom-client';
import type { MetricFigures } from './figures.ts';
import type { Histogram, Observations } from './metrics.ts';

/** prom-client's own, in seconds. */
const USUAL_BUCKETS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface CountedHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[] | undefined;
  /** Upper bounds, ascending. */
  readonly buckets?: readonly number[] | undefined;
}

/**
 * A histogram that a registry of prom-client exposes like its own. Theirs makes a text of the labels for each
 * observation, and a text of the bucket's bound three times: a twentieth of what the answer of a remembered list costs.
 */
export class CountedHistogram implements Histogram {
  readonly name: string;
  readonly help: string;
  readonly #labels: readonly string[];
  readonly #bounds: readonly number[];
  readonly #all = new Map<string, Series>();
  readonly #unlabelled: Observations | undefined;

  constructor({ name, help, labels = [], buckets = USUAL_BUCKETS }: CountedHistogramOptions) {
    this.name = name;
    this.help = help;
    this.#labels = labels;
    this.#bounds = [...buckets];
    // Shown from the start, for a rate needs a zero to begin from.
    if (labels.length === 0) this.#unlabelled = this.labels();
  }

  observe(value: number): void {
    (this.#unlabelled ?? this.labels()).observe(value);
  }

  labels(...values: readonly string[]): Observations {
    const key = JSON.stringify(values);
    let series = this.#all.get(key);
    if (!series) this.#all.set(key, (series = new Series(this.#named(values), this.#bounds)));
    return series;
  }

  /** What prom-client asks of a metric: all values as they are exposed. */
  get(): Promise<MetricFigures> {
    const { name, help } = this;
    const values = [...this.#all.values()].flatMap((series) => series.valuesOf(name));
    // Registries write the type as it is; the numbers that the types of prom-client promise instead exist nowhere.
    const type = 'histogram' as unknown as MetricFigures['type'];
    return Promise.resolve({ name, help, type, aggregator: 'sum', values });
  }

  #named(values: readonly string[]): Record<string, string> {
    if (values.length !== this.#labels.length) {
      const labels = this.#labels.length > 0 ? `the labels ${this.#labels.join(', ')}` : 'no labels';
      throw new Error(`The metric "${this.name}" has ${labels}, but was given ${values.length} values.`);
    }
    // prom-client took an object of labels and values here, which would be shown as text.
    const other = values.find((value) => typeof value !== 'string');
    if (other !== undefined) {
      throw new TypeError(`The metric "${this.name}" takes the value of each label as text, in their order.`);
    }
    return Object.fromEntries(this.#labels.map((label, at) => [label, values[at]!]));
  }
}

/** What was observed with the same labels. */
class Series implements Observations {
  readonly #labels: Readonly<Record<string, string>>;
  readonly #bounds: readonly number[];
  /** By bucket; the last is of what is beyond all bounds. */
  readonly #counts: number[];
  #sum = 0;

  constructor(labels: Readonly<Record<string, string>>, bounds: readonly number[]) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be observed: it is no finite number.`);
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket += 1;
    this.#counts[bucket]! += 1;
    this.#sum += value;
  }

  valuesOf(name: string): MetricValueWithName<string>[] {
    const labels = this.#labels;
    let count = 0;
    const buckets = this.#counts.map((more, bucket): MetricValueWithName<string> => {
      count += more;
      return {
        metricName: `${name}_bucket`,
        labels: { le: this.#bounds[bucket] ?? '+Inf', ...labels },
        value: count,
      };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}
