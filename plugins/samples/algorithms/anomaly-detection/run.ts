import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { robustTrend } from '../../series/robust-trend.ts';
import { oddAtLeast, roundingOf, stl, type Decomposition } from '../../series/stl.ts';
import { about } from './about.ts';
import { robustScores } from './robust-scores.ts';

type Output = OutputOf<typeof about>;

/** The trend is smoothed over so many seasons, or without a season over this share of the series. */
const TREND_SEASONS = 4;
const TREND_SHARE = 0.15;
const NARROWEST_TREND = 7;
const FEWEST_SEASONS = 3;
/** More seasons than there can be: the season keeps its shape. */
const EVERY_SEASON = 99_999;

export function run({ series }: InputOf<typeof about>, params: ParamsOf<typeof about>): Output {
  const { trend, season, remainder, freedom } = takenApart(series, params.season_length);
  const { centre, scale, scores } = robustScores([...remainder], { rounding: roundingOf(series), freedom });
  const points = series.map((value, i) => {
    const expected = trend[i]! + season[i]! + centre;
    const [lower, upper] = [expected - params.limit * scale, expected + params.limit * scale];
    const score = scores[i]!;
    return { step: i + 1, value, expected, lower, upper, score, anomaly: Math.abs(score) > params.limit };
  });
  return { anomalies: anomaliesAmong(points), points, scale };
}

/** The parts, and how many of the observations the fitting leaves free: it follows some of the noise, too. */
function takenApart(series: readonly number[], period: number): Decomposition & { readonly freedom: number } {
  const seasonal = period > 1;
  const window = oddAtLeast(
    seasonal ? TREND_SEASONS * period : Math.max(NARROWEST_TREND, series.length * TREND_SHARE),
  );
  if (seasonal) refuseShort(series, period);
  const parts = seasonal
    ? stl(series, { period, seasonWindow: EVERY_SEASON, trendWindow: window })
    : robustTrend(series, window);
  return { ...parts, freedom: series.length - (seasonal ? period : 0) - (2 * series.length) / window };
}

function refuseShort(series: readonly number[], period: number): void {
  const needed = FEWEST_SEASONS * period;
  if (series.length >= needed) return;
  throw new InputRejected(
    `The series has ${series.length} observations, but three seasons of ${period} need ${needed}. Send more, or set the season length to 1.`,
  );
}

function anomaliesAmong(points: Output['points']): Output['anomalies'] {
  return points
    .filter(({ anomaly }) => anomaly)
    .sort((a, b) => Math.abs(b.score) - Math.abs(a.score))
    .map(({ step, value, expected, score }) => ({
      step,
      value,
      expected,
      score,
      direction: score > 0 ? ('high' as const) : ('low' as const),
    }));
}

export default embedded(about, run);
