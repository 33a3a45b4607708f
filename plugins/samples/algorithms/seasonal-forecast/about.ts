import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { AIR_PASSENGERS } from '../../series/air-passengers.ts';
import { seriesField } from '../../series/schema.ts';
import { numberOrNull } from '../../statistics/schema.ts';
import { seedParam } from '../../statistics/seed.ts';

const Step = Type.Object({
  step: Type.Integer({ minimum: 1, description: 'Place after the last observation.' }),
  forecast: Type.Number(),
  lower: Type.Number({ description: 'Bounds of the interval.' }),
  upper: Type.Number(),
});

const Fitted = Type.Object({
  step: Type.Integer({ minimum: 1, description: 'Place in the series.' }),
  observed: Type.Number(),
  fitted: Type.Number({ description: 'What was expected one step before.' }),
});

const Backtest = Type.Object(
  {
    steps: Type.Integer({ minimum: 1, description: 'Last observations that were held back.' }),
    mean_absolute_error: Type.Number({ minimum: 0 }),
    mean_absolute_percentage_error: numberOrNull('In percent; null where an observation is 0.'),
    seasonal_naive_error: Type.Number({
      minimum: 0,
      description: 'Mean absolute error of repeating the last season.',
    }),
  },
  { description: 'How well the method would have forecast the end of this series.' },
);

export const about = describe({
  name: 'seasonal-forecast',
  title: 'Seasonal forecast',
  type: 'time_series',
  tags: ['forecast', 'seasons', 'Holt-Winters'],
  version: '1.0.0',
  description:
    'Continues a series by triple exponential smoothing (Holt-Winters): level, trend and season, with the smoothing ' +
    'weights that made the smallest one-step errors in the past. Intervals come from 1,000 simulated futures that draw ' +
    'on those errors. It knows nothing but the series: it carries the last trend on for ever, knows no holidays, and a ' +
    'sudden change misleads it. Intervals leave out that the method itself may be wrong. Read the backtest: a forecast ' +
    'that is no better than repeating the last season is not worth much. Needs two whole seasons.',
  input: Type.Object({ series: seriesField(4, 2000) }, { additionalProperties: false }),
  params: {
    season_length: {
      type: 'integer',
      default: 12,
      min: 2,
      max: 400,
      title: 'Season length',
      description: 'Observations in one season: 12 for months of a year, 7 for days of a week.',
      'x-order': 0,
    },
    horizon: {
      type: 'integer',
      default: 12,
      min: 1,
      max: 200,
      title: 'Horizon',
      description: 'Steps ahead.',
      'x-order': 1,
    },
    seasonality: {
      type: 'string',
      default: 'multiplicative',
      enum: ['additive', 'multiplicative'],
      title: 'Seasonality',
      description: 'Whether the swing of the season stays the same or grows with the level.',
      'x-order': 2,
    },
    confidence: {
      type: 'number',
      default: 0.8,
      min: 0.5,
      max: 0.99,
      title: 'Interval',
      description: 'Share of the simulated futures inside of it.',
      'x-order': 3,
    },
    seed: seedParam,
  },
  output: Type.Object({
    forecast: Type.Array(Step, {
      ...shownAs({ kind: 'series', x: 'step', lines: ['forecast'], band: ['lower', 'upper'] }),
    }),
    fitted: Type.Array(Fitted, {
      description: 'From the second season on.',
      ...shownAs({ kind: 'series', x: 'step', lines: ['observed', 'fitted'] }),
    }),
    smoothing: Type.Object(
      { level: Type.Number(), trend: Type.Number(), season: Type.Number() },
      { description: 'Weights of the newest observation, 0 to 1.' },
    ),
    state: Type.Object(
      { level: Type.Number(), trend: Type.Number(), season: Type.Array(Type.Number()) },
      { description: 'At the end of the series; the season begins with the next step.' },
    ),
    root_mean_squared_error: Type.Number({ minimum: 0, description: 'Of the one-step forecasts.' }),
    backtest: Type.Union([Backtest, Type.Null()], {
      description: 'null where the series is too short for one.',
    }),
  }),
  example: { series: AIR_PASSENGERS },
  examples: [
    { name: 'Airline passengers', description: 'Twelve years by month, continued by a year.' },
    {
      name: 'Half a year, steady season',
      description: 'With a season that does not grow, and wider intervals.',
      params: { seasonality: 'additive', horizon: 6, confidence: 0.95 },
    },
  ],
});
