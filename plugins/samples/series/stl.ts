import { median } from '../statistics/moments.ts';
import { lineAt, loess } from './loess.ts';

/** A series taken apart: `trend + season + remainder` is the series. */
export interface Decomposition {
  readonly trend: Float64Array;
  readonly season: Float64Array;
  readonly remainder: Float64Array;
}

export interface StlOptions {
  /** Observations in a season, at least 2. */
  readonly period: number;
  /** How many seasons a place in the season is averaged over, the nearer the more; odd, at least 7. */
  readonly seasonWindow: number;
  /** How many observations the trend is smoothed over; odd, more than a season. */
  readonly trendWindow: number;
}

const INNER_ROUNDS = 2;
const ROBUST_ROUNDS = 15;

/**
 * Robust seasonal-trend decomposition by loess (Cleveland et al., 1990), of degree 0 for the season and 1 for the trend.
 * Needs two whole seasons. Observations that fit badly lose their say from round to round.
 */
export function stl(
  series: readonly number[],
  { period, seasonWindow, trendWindow }: StlOptions,
): Decomposition {
  const values = Float64Array.from(series);
  let trend: Float64Array = new Float64Array(values.length);
  let season: Float64Array = trend;
  let trust: Float64Array | undefined;
  const rounding = roundingOf(values);
  for (let robust = 0; robust <= ROBUST_ROUNDS; robust++) {
    for (let inner = 0; inner < INNER_ROUNDS; inner++) {
      season = seasonOf(minus(values, trend), period, seasonWindow, trust);
      trend = loess(minus(values, season), { window: trendWindow, ...(trust && { trust }) });
    }
    trust = trustIn(minus(minus(values, season), trend), rounding);
  }
  return { trend, season, remainder: minus(minus(values, season), trend) };
}

/** What is too small to be more than the rounding of a calculation with these values. */
export function roundingOf(values: ArrayLike<number>): number {
  return 1e-9 * Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** The smallest odd number that is not below a number. */
export function oddAtLeast(number: number): number {
  const whole = Math.ceil(number);
  return whole % 2 === 1 ? whole : whole + 1;
}

/** Bisquare weights: 1 for no remainder, 0 beyond six times the median one. Below `rounding` all is trusted. */
export function trustIn(remainder: Float64Array, rounding: number): Float64Array {
  const limit = 6 * Math.max(rounding, median(Array.from(remainder, Math.abs)));
  return remainder.map((value) => {
    const size = Math.abs(value);
    if (size <= 0.001 * limit) return 1;
    return size > 0.999 * limit ? 0 : (1 - (size / limit) ** 2) ** 2;
  });
}

/** Smooths each place of the season over the seasons, then takes away what remains of a trend. */
function seasonOf(values: Float64Array, period: number, window: number, trust?: Float64Array): Float64Array {
  const cycles = new Float64Array(values.length + 2 * period);
  for (let place = 0; place < period; place++) smoothCycle(values, place, { period, window, trust }, cycles);
  const slow = movingMean(movingMean(movingMean(cycles, period), period), 3);
  const rest = loess(slow, { window: oddAtLeast(period + 1) });
  return minus(cycles.subarray(period, period + values.length), rest);
}

interface CycleOptions {
  readonly period: number;
  readonly window: number;
  readonly trust: Float64Array | undefined;
}

/** Smooths one place of the season and goes on for a season at both ends. */
function smoothCycle(values: Float64Array, place: number, options: CycleOptions, into: Float64Array): void {
  const { period, window } = options;
  const every = (all: Float64Array) => all.filter((_, i) => i % period === place);
  const cycle = every(values);
  const smoothing = { window, by: 'mean' as const, ...(options.trust && { trust: every(options.trust) }) };
  const smooth = loess(cycle, smoothing);
  const width = Math.min(window, cycle.length);
  const before = lineAt(cycle, -1, 0, width, smoothing) ?? smooth[0]!;
  const after = lineAt(cycle, cycle.length, cycle.length - width, cycle.length, smoothing) ?? smooth.at(-1)!;
  [before, ...smooth, after].forEach((value, turn) => (into[place + turn * period] = value));
}

/** Means of `window` successive values; shorter by `window - 1`. */
function movingMean(values: Float64Array, window: number): Float64Array {
  const means = new Float64Array(values.length - window + 1);
  let sum = values.subarray(0, window).reduce((total, value) => total + value, 0);
  means[0] = sum / window;
  for (let i = 1; i < means.length; i++) {
    sum += values[i + window - 1]! - values[i - 1]!;
    means[i] = sum / window;
  }
  return means;
}

function minus(a: Float64Array, b: Float64Array): Float64Array {
  const result = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) result[i] = a[i]! - b[i]!;
  return result;
}
