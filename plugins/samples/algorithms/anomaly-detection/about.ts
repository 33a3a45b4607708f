import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { seriesField } from '../../series/schema.ts';
import { VISITS } from './visits.ts';

const Point = Type.Object({
  step: Type.Integer({ minimum: 1 }),
  value: Type.Number(),
  expected: Type.Number({ description: 'Trend and season.' }),
  lower: Type.Number({ description: 'Bounds of what is usual.' }),
  upper: Type.Number(),
  score: Type.Number({ description: 'Distance from what is expected in robust standard deviations.' }),
  anomaly: Type.Boolean(),
});

const Anomaly = Type.Object({
  step: Type.Integer({ minimum: 1 }),
  value: Type.Number(),
  expected: Type.Number(),
  score: Type.Number(),
  direction: Type.String({ enum: ['high', 'low'] }),
});

export const about = describe({
  name: 'anomaly-detection',
  title: 'Anomaly detection',
  type: 'time_series',
  tags: ['outliers', 'seasons'],
  version: '1.0.0',
  description:
    'Marks the observations of a series that do not fit its trend and season: robust STL decomposition (Cleveland et ' +
    'al., 1990) with a season that keeps its shape, then the remainder in units of its median absolute deviation ' +
    '(Iglewicz and Hoaglin, 1993). Outliers do not distort what is held for usual as long as they are few. With ten ' +
    'seasons or more about one ordinary observation in 1,000 lies beyond the limit of 4; with three or four seasons one ' +
    'in 40. A lasting change of level is marked only where it begins, a slow drift not at all, and a series that is ' +
    'noisier at some times than at others gets false alarms there.',
  input: Type.Object({ series: seriesField(8, 2000) }, { additionalProperties: false }),
  params: {
    season_length: {
      type: 'integer',
      default: 7,
      min: 1,
      max: 400,
      title: 'Season length',
      description: 'Observations in one season: 7 for days of a week, 24 for hours of a day, 1 for none.',
      'x-order': 0,
    },
    limit: {
      type: 'number',
      default: 4,
      min: 1,
      max: 20,
      title: 'Limit',
      description: 'Robust standard deviations from which an observation is an anomaly.',
      'x-order': 1,
    },
  },
  output: Type.Object({
    anomalies: Type.Array(Anomaly, { description: 'Farthest out first.', ...shownAs({ kind: 'table' }) }),
    points: Type.Array(Point, {
      ...shownAs({
        kind: 'series',
        x: 'step',
        lines: ['value', 'expected'],
        band: ['lower', 'upper'],
        mark: 'anomaly',
      }),
    }),
    scale: Type.Number({ minimum: 0, description: 'Robust standard deviation of the remainder.' }),
  }),
  example: { series: VISITS },
  examples: [
    { name: 'Visits to a site', description: 'Twelve weeks by day, with three days that do not fit.' },
    { name: 'Only what lies far out', description: 'A higher limit leaves fewer.', params: { limit: 15 } },
  ],
});
