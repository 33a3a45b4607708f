import Type from 'typebox';
import { about as describe } from '../../describing/about.ts';
import { shownAs } from '../../describing/views.ts';
import { IRIS_NAMES, IRIS_ROWS, IRIS_SPECIES } from '../../statistics/iris.ts';
import { MAX_ROWS, namesField, numberOrNull, rowsField } from '../../statistics/schema.ts';
import { seedParam } from '../../statistics/seed.ts';

const nullableInteger = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const Node = Type.Object({
  node: Type.Integer({ minimum: 1 }),
  depth: Type.Integer({ minimum: 0 }),
  column: Type.Union([Type.String(), Type.Null()], { description: 'What is asked here; null at a leaf.' }),
  threshold: numberOrNull('Rows up to it go left.'),
  left: nullableInteger('Node of the rows up to the threshold.'),
  right: nullableInteger('Node of the others.'),
  rows: Type.Integer({ minimum: 1 }),
  prediction: Type.String({ description: 'The most common label here.' }),
  share: Type.Number({ minimum: 0, maximum: 1, description: 'Of that label among the rows.' }),
});

const Rule = Type.Object({
  rule: Type.String(),
  prediction: Type.String(),
  rows: Type.Integer({ minimum: 1 }),
  share: Type.Number({ minimum: 0, maximum: 1 }),
});

export const about = describe({
  name: 'decision-tree',
  title: 'Decision tree',
  type: 'ml',
  tags: ['classification', 'tables', 'CART'],
  version: '1.0.0',
  description:
    'Learns yes-or-no questions that tell labels apart, by CART (Breiman et al., 1984): at each node the question that ' +
    'lowers the Gini impurity most. The result can be read aloud, but is unstable: a few other rows may give other ' +
    'questions. Deep trees learn rows by heart, so judge by the cross-validated accuracy, not by that on the rows ' +
    'themselves, and compare it with always guessing the most common label. Each question looks at a single column.',
  input: Type.Object(
    {
      rows: rowsField('One row of numbers for each example.'),
      labels: Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
        title: 'Labels',
        description: 'The class of each row; at most 20 different ones.',
        minItems: 2,
        maxItems: MAX_ROWS,
        'x-order': 1,
      }),
      names: namesField(),
    },
    { additionalProperties: false },
  ),
  params: {
    max_depth: {
      type: 'integer',
      default: 3,
      min: 1,
      max: 10,
      title: 'Depth',
      description: 'Questions in a row at most.',
      'x-order': 0,
    },
    min_leaf: {
      type: 'integer',
      default: 1,
      min: 1,
      max: 500,
      title: 'Rows in a leaf',
      description: 'A question must leave at least so many rows on each side.',
      'x-order': 1,
    },
    seed: seedParam,
  },
  output: Type.Object({
    rules: Type.Array(Rule, { description: 'One for each leaf.', ...shownAs({ kind: 'table' }) }),
    nodes: Type.Array(Node, {
      description: 'The tree for programs; node 1 is the root.',
      ...shownAs({ kind: 'samples:decision-tree' }),
    }),
    importances: Type.Array(Type.Object({ column: Type.String(), importance: Type.Number({ minimum: 0 }) }), {
      description: 'Share of each column in lowering the impurity.',
      ...shownAs({ kind: 'scores', label: 'column', score: 'importance' }),
    }),
    training_accuracy: Type.Number({ minimum: 0, maximum: 1 }),
    cross_validated_accuracy: numberOrNull(
      'In five parts, each judged by a tree of the others; null below 10 rows.',
    ),
    baseline_accuracy: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Of always guessing the most common label.',
    }),
  }),
  example: { rows: IRIS_ROWS, labels: IRIS_SPECIES, names: IRIS_NAMES },
  examples: [
    { name: 'Three irises', description: 'Questions about four measures that tell three species apart.' },
    {
      name: 'A single question',
      description: 'One question tells one species from the other two.',
      params: { max_depth: 1 },
    },
  ],
});
