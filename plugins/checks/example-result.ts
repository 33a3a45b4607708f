import { nullable, Type } from '../../core/index.ts';

const AnsweredDifference = Type.Object({
  pointer: Type.String({
    description: 'Where in `output_data`, as a JSON pointer.',
    examples: ['/language'],
  }),
  expected: nullable(
    Type.String({
      description: 'As JSON, cut when it is long; null where nothing is expected.',
      examples: ['"de"'],
    }),
  ),
  got: nullable(
    Type.String({ description: 'The same of the answer; null where it has nothing.', examples: ['"nl"'] }),
  ),
  withheld: Type.Boolean({ description: 'Whether the payload policy of the algorithm keeps `got` back.' }),
});

/** What became of an example in a check. */
export const ExampleResult = Type.Object({
  example_id: Type.String({ description: 'The `id` of the example.' }),
  name: Type.String({ description: 'Its name then.', examples: ['A verse'] }),
  outcome: Type.Enum(['passed', 'failed', 'skipped'], {
    description: '`skipped`: the check had no time left for it.',
  }),
  response_time: nullable(Type.Number({ description: 'Seconds spent on the endpoint.', examples: [0.012] })),
  error_code: nullable(
    Type.String({
      description: 'Why the call failed or was refused; null when it succeeded.',
      examples: [null],
    }),
  ),
  error_message: nullable(Type.String({ description: 'The same in words.', examples: [null] })),
  differences: Type.Array(AnsweredDifference, {
    description: 'Where the answer is not as expected; the first 20.',
  }),
});
/** What became of an example in a check. */
export type ExampleResult = Type.Static<typeof ExampleResult>;
