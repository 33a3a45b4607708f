import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { seriesField } from '../../series/schema.ts';
import { NILE } from './nile.ts';

const Segment = Type.Object({
  first: Type.Integer({ minimum: 1, description: 'Step with which it begins.' }),
  last: Type.Integer({ minimum: 1 }),
  length: Type.Integer({ minimum: 1 }),
  mean: Type.Number(),
  deviation: Type.Number({ minimum: 0 }),
});

const Point = Type.Object({
  step: Type.Integer({ minimum: 1 }),
  value: Type.Number(),
  level: Type.Number({ description: 'Mean of its segment.' }),
  change: Type.Boolean({ description: 'Whether a new segment begins here.' }),
});

export const about = describe({
  name: 'change-points',
  title: 'Change points',
  type: 'time_series',
  tags: ['changes', 'PELT'],
  version: '1.0.0',
  description:
    'Finds where the level of a series jumps, by PELT (Killick et al., 2012): the division into stretches of constant ' +
    'mean with the smallest squared deviations plus a penalty for each change, found exactly. The noise is estimated ' +
    'from the differences of neighbours, so that jumps do not count as noise. It looks for jumps of the mean only: a ' +
    'slope becomes a stairway, a season a row of changes, and observations that depend on those before them yield too ' +
    'many changes; raise the penalty then.',
  input: Type.Object({ series: seriesField(4, 2000) }, { additionalProperties: false }),
  params: {
    penalty: {
      type: 'number',
      default: 3,
      min: 0.1,
      max: 100,
      title: 'Penalty',
      description:
        'What a change must be worth, times the logarithm of the length of the series; higher finds fewer.',
      'x-order': 0,
    },
    min_length: {
      type: 'integer',
      default: 2,
      min: 1,
      max: 500,
      title: 'Shortest stretch',
      description: 'Observations between changes at least.',
      'x-order': 1,
    },
  },
  output: Type.Object({
    changes: Type.Array(Type.Integer({ minimum: 2 }), {
      description: 'Steps with which a new level begins.',
    }),
    segments: Type.Array(Segment, { ...shownAs({ kind: 'table' }) }),
    points: Type.Array(Point, {
      ...shownAs({ kind: 'series', x: 'step', lines: ['value', 'level'], mark: 'change' }),
    }),
    noise: Type.Number({ minimum: 0, description: 'Estimated standard deviation within a stretch.' }),
  }),
  example: { series: NILE },
  examples: [
    { name: 'The Nile at Aswan', description: 'A hundred years of flow, which fell after 1898.' },
    {
      name: 'With a higher penalty',
      description: 'What is found also at five times the penalty is hardly chance.',
      params: { penalty: 15 },
    },
  ],
});
