import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { IRIS_NAMES, IRIS_ROWS } from '../../statistics/iris.ts';
import { namesField, rowsField } from '../../statistics/schema.ts';

const Component = Type.Object({
  component: Type.Integer({ minimum: 1 }),
  variance: Type.Number({ minimum: 0 }),
  share: Type.Number({ minimum: 0, maximum: 1, description: 'Of the variance of all columns.' }),
  cumulative_share: Type.Number({ minimum: 0, description: 'Together with those before it.' }),
  weights: Type.Record(Type.String(), Type.Number(), {
    description: 'Of each column; their squares add up to 1.',
  }),
});

const Score = Type.Object({
  row: Type.Integer({ minimum: 1 }),
  x: Type.Number({ description: 'Place along the first component.' }),
  y: Type.Number({ description: 'Place along the second; 0 where there is none.' }),
  scores: Type.Array(Type.Number(), { description: 'Along every component that was asked for.' }),
});

export const about = describe({
  name: 'principal-components',
  title: 'Principal components',
  type: 'ml',
  tags: ['dimensions', 'tables', 'PCA'],
  version: '1.0.0',
  description:
    'Finds the directions in which rows of numbers differ most (principal component analysis by singular value ' +
    'decomposition) and places each row along them, which shows many columns in one picture. Directions are straight, ' +
    'so bent structure is not unfolded; outliers turn them; and what varies most need not be what matters. Columns ' +
    'are scaled alike unless told otherwise. The sign of a component means nothing: its largest weight is made positive.',
  input: Type.Object(
    { rows: rowsField('One row of numbers for each thing.'), names: namesField() },
    { additionalProperties: false },
  ),
  params: {
    components: {
      type: 'integer',
      default: 2,
      min: 1,
      max: 30,
      title: 'Components',
      description: 'Maximum number to return.',
      'x-order': 0,
    },
    standardise: {
      type: 'boolean',
      default: true,
      title: 'Standardise',
      description: 'Whether each column is scaled to deviation 1 first, so that no unit outweighs another.',
      'x-order': 1,
    },
  },
  output: Type.Object({
    components: Type.Array(Component, { ...shownAs({ kind: 'table' }) }),
    scores: Type.Array(Score, { ...shownAs({ kind: 'points', x: 'x', y: 'y', label: 'row' }) }),
  }),
  example: { rows: IRIS_ROWS, names: IRIS_NAMES },
  examples: [
    { name: 'Thirty irises', description: 'Four measures in one picture.' },
    {
      name: 'Without scaling',
      description: 'In centimetres: the length of the petals decides.',
      params: { standardise: false },
    },
  ],
});
