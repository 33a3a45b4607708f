import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { finiteNumber, MAX_ROWS, namesField, numberOrNull, rowsField } from '../../statistics/schema.ts';

const Coefficient = Type.Object({
  name: Type.String(),
  estimate: Type.Number(),
  standard_error: Type.Number({ minimum: 0 }),
  t: numberOrNull('Estimate divided by its standard error; null when the fit is perfect.'),
  p: numberOrNull('Two-sided: chance of a t as large if the coefficient were 0.'),
  lower: Type.Number({ description: 'Bounds of the confidence interval.' }),
  upper: Type.Number(),
});

const Observation = Type.Object({
  row: Type.Integer({ minimum: 1 }),
  observed: Type.Number(),
  fitted: Type.Number(),
  residual: Type.Number(),
  leverage: Type.Number({ description: 'How much the row pulls its own fitted value, 0 to 1.' }),
});

export const about = describe({
  name: 'linear-regression',
  title: 'Linear regression',
  type: 'ml',
  tags: ['regression', 'tables', 'statistics'],
  version: '1.0.0',
  description:
    'Fits y as a weighted sum of the columns by ordinary least squares (singular value decomposition of the centred and ' +
    'scaled columns) and judges the fit: standard errors, t and p values, confidence intervals, R², F, residuals, ' +
    'leverage and the Durbin-Watson statistic. The p values and intervals hold when the residuals are independent, ' +
    'equally spread and about normal; look at them. Outliers pull the line, a large condition number means that columns ' +
    'tell the same story, and a good fit is no proof of cause.',
  input: Type.Object(
    {
      rows: rowsField('One row for each observation, with the values that y is explained by.'),
      y: Type.Array(finiteNumber(), {
        title: 'Observed values',
        description: 'One for each row.',
        minItems: 2,
        maxItems: MAX_ROWS,
        'x-order': 1,
      }),
      names: namesField(),
    },
    { additionalProperties: false },
  ),
  params: {
    intercept: {
      type: 'boolean',
      default: true,
      title: 'Intercept',
      description: 'Whether to fit a constant, too.',
      'x-order': 0,
    },
    confidence: {
      type: 'number',
      default: 0.95,
      min: 0.5,
      max: 0.999,
      title: 'Confidence',
      description: 'Of the intervals.',
      'x-order': 1,
    },
  },
  output: Type.Object({
    coefficients: Type.Array(Coefficient, { ...shownAs({ kind: 'table' }) }),
    r_squared: Type.Number({
      description: 'Explained part of the variation; without intercept, of that around 0.',
    }),
    adjusted_r_squared: Type.Number(),
    residual_standard_error: Type.Number({ minimum: 0 }),
    degrees_of_freedom: Type.Integer({ minimum: 1 }),
    f: numberOrNull('Of all columns together; null when the fit is perfect.'),
    f_p: numberOrNull('Chance of an F as large if no column mattered.'),
    durbin_watson: numberOrNull('Near 2 when successive residuals are independent.'),
    condition_number: Type.Number({
      description: 'Of the scaled columns; above 30 they tell much the same story.',
    }),
    observations: Type.Array(Observation, {
      ...shownAs({ kind: 'series', x: 'row', lines: ['observed', 'fitted'] }),
    }),
  }),
  example: {
    rows: [[10], [8], [13], [9], [11], [14], [6], [4], [12], [7], [5]],
    y: [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68],
    names: ['x'],
  },
  examples: [
    { name: 'Anscombe, first set', description: 'A line with ordinary scatter.' },
    {
      name: 'Anscombe, fourth set',
      description: 'Nearly the same coefficients, decided by a single row: look at its leverage.',
      input: {
        rows: [[8], [8], [8], [8], [8], [8], [8], [19], [8], [8], [8]],
        y: [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.5, 5.56, 7.91, 6.89],
        names: ['x'],
      },
    },
  ],
});
