import { jsonObject, named, nullable, PagingQuery, timestamp, Type, type Static } from '../../core/index.ts';
import type { AlgorithmAccess, AlgorithmStatus, ParameterSpec } from './contract.ts';

const Status = Type.Unsafe<AlgorithmStatus>(
  Type.Enum(['active', 'inactive', 'deprecated'], {
    description: '`inactive` is shown but cannot be called; `deprecated` can, and answers say so.',
  }),
);
const Access = Type.Unsafe<AlgorithmAccess>(
  Type.Enum(['open', 'restricted'], {
    description:
      '`open`: every account may call it. `restricted`: administrators and those who were granted it.',
  }),
);

const notBlank = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, format: 'name', pattern: '\\S', description, examples: [example] });

const parameter = Type.Object(
  {
    type: Type.Optional(Type.String({ description: 'The name of a type in JSON Schema, or a usual alias.' })),
    default: Type.Optional(
      Type.Unknown({ description: 'What the endpoint gets when a call names no value.' }),
    ),
    min: Type.Optional(Type.Number({ description: 'The least value or length.' })),
    max: Type.Optional(Type.Number({ description: 'The greatest value or length.' })),
    enum: Type.Optional(Type.Array(Type.Unknown(), { description: 'The values that are allowed.' })),
  },
  { additionalProperties: true },
);
const params = Type.Unsafe<Readonly<Record<string, ParameterSpec>>>({
  ...jsonObject({
    description:
      'From parameter name to `type` (by its name in JSON Schema), `default`, `min`, `max` and `enum`. Bounds are of ' +
      'the value of numbers and of the length of strings and arrays. Empty: any parameters are handed on unchecked.',
    examples: [{ threshold: { type: 'number', default: 0.5, min: 0, max: 1 } }],
  }),
  additionalProperties: parameter,
});
const schemaOf = (what: string) =>
  jsonObject({ description: `${what} JSON Schema 2020-12 with local references; empty: anything.` });
const inputSchema = schemaOf('What the version accepts.');
const outputSchema = schemaOf('What the version answers.');

const algorithmFields = {
  name: notBlank(200, 'What people call it.', 'Edge detection'),
  description: Type.String({ maxLength: 10_000 }),
  type: notBlank(100, 'Free text: computer_vision, nlp, ml, …', 'computer_vision'),
};

const versionFields = {
  version: notBlank(100, 'A label, unique within the algorithm.', '1.0.0'),
  url: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: 'The endpoint: absolute, `http` or `https`, or a scheme that a plugin contributes.',
    examples: ['https://algorithms.example.org/edges'],
  }),
};

export const NewAlgorithmBody = Type.Object({
  ...algorithmFields,
  status: Type.Optional(Status),
  access: Type.Optional(Access),
});

export const AlgorithmChangesBody = Type.Partial(NewAlgorithmBody);

const optionalVersionFields = {
  params: Type.Optional(nullable(params)),
  input_schema: Type.Optional(nullable(inputSchema)),
  output_schema: Type.Optional(nullable(outputSchema)),
  is_default: Type.Optional(Type.Boolean()),
};

export const NewVersionBody = Type.Object({ ...versionFields, ...optionalVersionFields });
export const VersionChangesBody = Type.Partial(NewVersionBody);

export const AlgorithmListQuery = PagingQuery({
  type: Type.Optional(Type.String({ maxLength: 100, description: 'Only algorithms of exactly this type.' })),
  status: Type.Optional(Status),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only algorithms whose name or description contains this, in any case.',
    }),
  ),
  sort: Type.Enum(['-created_at', 'created_at', '-updated_at', 'updated_at', 'name', '-name'], {
    default: '-created_at',
    description: 'A minus means descending; ties are in the order of the ids.',
  }),
});

export const VersionAnswer = named(
  'AlgorithmVersion',
  Type.Object({
    id: Type.String(),
    algorithm_id: Type.String(),
    version: Type.String(),
    url: Type.String(),
    params,
    input_schema: inputSchema,
    output_schema: outputSchema,
    is_default: Type.Boolean(),
    schema_too_costly_since: Type.Optional(
      timestamp(
        'When checking a value against one of the schemas first took too long, so that a call was refused with ' +
          '`schema_too_costly`. Absent while none did, and again once the schemas are changed.',
      ),
    ),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);

export const AlgorithmAnswer = named(
  'Algorithm',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    type: Type.String(),
    status: Status,
    access: Access,
    created_at: timestamp(),
    updated_at: timestamp(),
    versions: Type.Array(VersionAnswer, { description: 'Newest first. Always empty in lists.' }),
  }),
);

export const AlgorithmListAnswer = Type.Object({
  algorithms: Type.Array(AlgorithmAnswer),
  total: Type.Integer({ description: 'How many algorithms match, on all pages together.' }),
});

export const VersionListAnswer = Type.Array(VersionAnswer, { description: 'Newest first.' });

export type NewAlgorithmInput = Static<typeof NewAlgorithmBody>;
export type AlgorithmChanges = Static<typeof AlgorithmChangesBody>;
export type NewVersionInput = Static<typeof NewVersionBody>;
export type VersionChanges = Static<typeof VersionChangesBody>;
export type AlgorithmFilter = Static<typeof AlgorithmListQuery>;
export type AlgorithmAnswer = Static<typeof AlgorithmAnswer>;
export type AlgorithmListAnswer = Static<typeof AlgorithmListAnswer>;
export type VersionAnswer = Static<typeof VersionAnswer>;
