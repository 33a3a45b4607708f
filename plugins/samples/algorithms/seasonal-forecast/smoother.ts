export type Seasonality = 'additive' | 'multiplicative';

/** Weights of the newest observation, each 0 to 1. */
export interface Weights {
  readonly level: number;
  readonly trend: number;
  readonly season: number;
}

/** Where a series stands; `season[0]` belongs to the next step. */
export interface State {
  readonly level: number;
  readonly trend: number;
  readonly season: readonly number[];
}

/** Follows a series (Winters, 1960): each observation corrects level, trend and its place in the season. */
export class Smoother {
  readonly #weights: Weights;
  readonly #additive: boolean;
  readonly #season: Float64Array;
  #level: number;
  #trend: number;
  #place = 0;

  constructor(start: State, weights: Weights, seasonality: Seasonality) {
    this.#weights = weights;
    this.#additive = seasonality === 'additive';
    this.#season = Float64Array.from(start.season);
    this.#level = start.level;
    this.#trend = start.trend;
  }

  /** What is to be expected `ahead` steps from now; 1 is the next. */
  expect(ahead: number): number {
    const base = this.#level + ahead * this.#trend;
    const season = this.#season[(this.#place + ahead - 1) % this.#season.length]!;
    return this.#additive ? base + season : base * season;
  }

  /** Takes the next observation in. */
  absorb(value: number): void {
    const { level, trend, season } = this.#weights;
    const old = this.#season[this.#place]!;
    const withoutSeason = this.#additive ? value - old : value / old;
    const newLevel = level * withoutSeason + (1 - level) * (this.#level + this.#trend);
    this.#trend = trend * (newLevel - this.#level) + (1 - trend) * this.#trend;
    const withoutLevel = this.#additive ? value - newLevel : value / newLevel;
    this.#season[this.#place] = season * withoutLevel + (1 - season) * old;
    this.#level = newLevel;
    this.#place = (this.#place + 1) % this.#season.length;
  }

  state(): State {
    const season = [...this.#season.subarray(this.#place), ...this.#season.subarray(0, this.#place)];
    return { level: this.#level, trend: this.#trend, season };
  }
}
