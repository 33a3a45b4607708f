import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { IRIS_NAMES, IRIS_ROWS } from '../../statistics/iris.ts';
import { namesField, numberOrNull, rowsField } from '../../statistics/schema.ts';
import { seedParam } from '../../statistics/seed.ts';

const Cluster = Type.Object({
  cluster: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 0 }),
  centre: Type.Record(Type.String(), Type.Number(), {
    description: 'Mean of its rows by column, in their own units.',
  }),
  silhouette: numberOrNull('Mean silhouette of its rows.'),
});

const Point = Type.Object({
  row: Type.Integer({ minimum: 1 }),
  cluster: Type.Integer({ minimum: 1 }),
  x: Type.Number({ description: 'First column.' }),
  y: Type.Number({ description: 'Second column; 0 where there is none.' }),
});

export const about = describe({
  name: 'k-means',
  title: 'K-means clustering',
  type: 'ml',
  tags: ['clustering', 'tables'],
  version: '1.0.0',
  description:
    'Divides rows of numbers into k groups so that the squared distances to the mean of the group are small: Lloyd’s ' +
    'iterations from several k-means++ starts, the best of which is answered. Finds round groups of similar size; it ' +
    'divides where there are no groups at all, cannot find rings or chains, and outliers pull the means. The silhouette ' +
    '(-1 to 1, higher is better) helps to choose k. The best of a few starts need not be the best there is.',
  input: Type.Object(
    { rows: rowsField('One row of numbers for each thing to be grouped.'), names: namesField() },
    { additionalProperties: false },
  ),
  params: {
    k: {
      type: 'integer',
      default: 3,
      min: 1,
      max: 30,
      title: 'Groups',
      description: 'How many to make.',
      'x-order': 0,
    },
    standardise: {
      type: 'boolean',
      default: true,
      title: 'Standardise',
      description: 'Whether each column is scaled to deviation 1 first, so that no unit outweighs another.',
      'x-order': 1,
    },
    starts: {
      type: 'integer',
      default: 10,
      min: 1,
      max: 50,
      title: 'Starts',
      description: 'How often to begin anew.',
      'x-order': 2,
      'x-advanced': true,
    },
    seed: seedParam,
  },
  output: Type.Object({
    clusters: Type.Array(Cluster, { description: 'Largest first.', ...shownAs({ kind: 'table' }) }),
    points: Type.Array(Point, { ...shownAs({ kind: 'points', x: 'x', y: 'y', group: 'cluster' }) }),
    inertia: Type.Number({
      minimum: 0,
      description: 'Squared distances to the centres, summed; in standardised units.',
    }),
    silhouette: numberOrNull('Mean over all rows; null for a single group.'),
    converged: Type.Boolean({ description: 'Whether no centre moved any more.' }),
  }),
  example: { rows: IRIS_ROWS, names: IRIS_NAMES },
  examples: [
    { name: 'Thirty irises', description: 'Four measures of three species, which it does not know.' },
    {
      name: 'Two groups, in centimetres',
      description: 'Without scaling, the longest measure decides.',
      params: { k: 2, standardise: false },
    },
  ],
});
