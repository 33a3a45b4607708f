import { jsonObject, named, nullable, timestamp, Type } from '../../../core/index.ts';
import { notBlank } from '../schemas.ts';

const content = {
  input_data: jsonObject({
    description: 'What the version is given.',
    examples: [{ text: 'Der Mond ist aufgegangen, die goldnen Sternlein prangen.' }],
  }),
  params: jsonObject({ description: 'Parameters by name.', examples: [{ max_candidates: 1 }] }),
  output_data: nullable(
    jsonObject({ description: 'What it answers, where that is known.', examples: [{ language: 'de' }] }),
  ),
  tolerance: nullable(
    Type.Object(
      {
        absolute: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 1e300,
            description: 'The greatest difference of two numbers.',
            examples: [0.001],
          }),
        ),
        relative: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'The same as a share of the expected number: 0.01 is one percent.',
            examples: [0.01],
          }),
        ),
      },
      {
        additionalProperties: false,
        description:
          'How far numbers of an answer may be from those of `output_data` when a check compares them; of two bounds the wider one counts. Null: not at all.',
      },
    ),
  ),
};
const description = Type.String({ maxLength: 2_000, description: 'What it shows.' });

/** The fields of a new example. */
export const NewExampleFields = {
  name: notBlank(200, 'What people call it.', 'A verse'),
  description: Type.Optional(description),
  input_data: Type.Optional(content.input_data),
  params: Type.Optional(content.params),
  output_data: Type.Optional(content.output_data),
  tolerance: Type.Optional(content.tolerance),
  is_default: Type.Optional(
    Type.Boolean({ description: 'Marks it as the default; the old one loses the mark.' }),
  ),
};

export const NewExampleBody = Type.Object({
  ...NewExampleFields,
  call_id: Type.Optional(
    Type.String({
      description:
        'A call of the version instead of input, params and output: your own, or any for administrators.',
    }),
  ),
});

export const ExampleChangesBody = Type.Partial(Type.Object(NewExampleFields), {
  examples: [{ description: 'The first lines of a poem.' }],
});

export const ExampleAnswer = named(
  'VersionExample',
  Type.Object({
    id: Type.String({ description: 'The identifier of the example.' }),
    name: Type.String({ description: 'What people call it.', examples: ['A verse'] }),
    description: Type.String({ description: 'What it shows.', examples: [''] }),
    ...content,
    is_default: Type.Boolean({ description: 'Whether it is shown first; one of each version is.' }),
    fits: Type.Boolean({ description: 'Whether the version, which may have changed since, accepts it.' }),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it last changed.'),
  }),
);

export const ExampleListAnswer = Type.Array(ExampleAnswer, { description: 'Oldest first.' });

export type NewExampleInput = Type.Static<typeof NewExampleBody>;
export type ExampleChanges = Type.Static<typeof ExampleChangesBody>;
export type ExampleAnswer = Type.Static<typeof ExampleAnswer>;
