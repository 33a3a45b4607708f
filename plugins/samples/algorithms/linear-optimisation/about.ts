import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { finiteNumber, numberOrNull } from '../../statistics/schema.ts';

const MAX_VARIABLES = 60;
const MAX_CONSTRAINTS = 60;

/** A weighted sum of variables: a number for each name. */
const terms = (title: string, description: string) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    title,
    description,
    minProperties: 1,
    maxProperties: MAX_VARIABLES,
    additionalProperties: finiteNumber(),
  });

const Constraint = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 60, title: 'Name', 'x-order': 0 })),
    terms: Type.Unsafe<Record<string, number>>({
      ...terms('Terms', 'A number for each variable.'),
      'x-order': 1,
    }),
    relation: Type.Unsafe<'at most' | 'at least' | 'equal to'>({
      type: 'string',
      enum: ['at most', 'at least', 'equal to'],
      title: 'Relation',
      'x-order': 2,
    }),
    value: Type.Unsafe<number>({ ...finiteNumber(), title: 'Value', 'x-order': 3 }),
  },
  { additionalProperties: false },
);

export const about = describe({
  name: 'linear-optimisation',
  title: 'Linear optimisation',
  type: 'optimisation',
  tags: ['planning', 'simplex'],
  version: '1.0.0',
  description:
    'Finds the amounts that make a weighted sum largest or smallest while other weighted sums stay within limits: ' +
    'simplex, and branch and bound for amounts that must be whole (the library YALPS). Production plans, mixtures, ' +
    'knapsacks and assignments can be written so. Every amount is 0 or more. Whole amounts can take very long; after ' +
    '20,000 branches the best so far is answered as `gave up`. Only sums: no products of variables, no curves. Where ' +
    'several answers are equally good, one of them is given.',
  input: Type.Object(
    {
      goal: Type.Unsafe<'maximise' | 'minimise'>({
        type: 'string',
        enum: ['maximise', 'minimise'],
        title: 'Goal',
        'x-order': 0,
      }),
      objective: Type.Unsafe<Record<string, number>>({
        ...terms('Objective', 'What one unit of each variable adds to the sum.'),
        'x-order': 1,
      }),
      constraints: Type.Array(Constraint, {
        title: 'Constraints',
        maxItems: MAX_CONSTRAINTS,
        minItems: 1,
        'x-order': 2,
      }),
      whole: Type.Optional(
        Type.Array(Type.String(), {
          title: 'Whole numbers',
          description: 'Variables that may only be 0, 1, 2 …',
          maxItems: MAX_VARIABLES,
          uniqueItems: true,
          'x-order': 3,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  params: {},
  output: Type.Object({
    status: Type.Unsafe<'optimal' | 'infeasible' | 'unbounded' | 'gave up'>({
      type: 'string',
      enum: ['optimal', 'infeasible', 'unbounded', 'gave up'],
      description:
        'infeasible: nothing satisfies all constraints. unbounded: the sum can be made as good as you like.',
    }),
    objective: numberOrNull('The sum; null where there is none.'),
    variables: Type.Array(Type.Object({ name: Type.String(), value: Type.Number() }), {
      ...shownAs({ kind: 'table' }),
    }),
    constraints: Type.Array(
      Type.Object({
        name: Type.String(),
        sum: Type.Number(),
        limit: Type.Number(),
        slack: Type.Number({ description: 'How far the sum is from its limit.' }),
        binding: Type.Boolean({ description: 'Whether the limit is reached.' }),
      }),
      { ...shownAs({ kind: 'table' }) },
    ),
  }),
  example: {
    goal: 'maximise',
    objective: { bread: 3, cake: 5, pie: 4 },
    constraints: [
      { name: 'flour, kg', terms: { bread: 2, cake: 3, pie: 1 }, relation: 'at most', value: 40 },
      { name: 'oven, hours', terms: { bread: 1, cake: 2, pie: 3 }, relation: 'at most', value: 32 },
      { name: 'cakes ordered', terms: { cake: 1 }, relation: 'at least', value: 3 },
    ],
    whole: ['bread', 'cake', 'pie'],
  },
  examples: [
    { name: 'A bakery', description: 'Which goods earn most from the flour and the oven there are.' },
    {
      name: 'A mixture',
      description: 'The cheapest feed with enough protein and fibre.',
      input: {
        goal: 'minimise',
        objective: { maize: 0.22, soya: 0.45, bran: 0.15 },
        constraints: [
          { name: 'kilograms', terms: { maize: 1, soya: 1, bran: 1 }, relation: 'equal to', value: 100 },
          {
            name: 'protein, kg',
            terms: { maize: 0.09, soya: 0.44, bran: 0.15 },
            relation: 'at least',
            value: 18,
          },
          {
            name: 'fibre, kg',
            terms: { maize: 0.02, soya: 0.07, bran: 0.11 },
            relation: 'at most',
            value: 6,
          },
        ],
      },
    },
  ],
});
