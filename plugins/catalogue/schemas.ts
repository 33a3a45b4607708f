import { jsonObject, named, nullable, PagingQuery, timestamp, Type } from '../../core/index.ts';
import {
  EXAMPLE_ALGORITHM_ID,
  EXAMPLE_VERSION_ID,
  type AlgorithmAccess,
  type AlgorithmStatus,
  type CheckState,
  type ParameterSpec,
} from './contract.ts';

/** Also the most characters, of which none takes less than a byte. */
export const MAX_README_BYTES = 65_536;

const status = Type.Unsafe<AlgorithmStatus>(
  Type.Enum(['active', 'inactive', 'deprecated'], {
    description: '`inactive` is shown but cannot be called; `deprecated` can, and answers say so.',
  }),
);
const Status = named('AlgorithmStatus', status);
const Access = named(
  'AlgorithmAccess',
  Type.Unsafe<AlgorithmAccess>(
    Type.Enum(['open', 'restricted', 'private'], {
      description:
        '`open`: every account may call it. `restricted`: everyone sees it; administrators and accounts with the grant ' +
        '`execute` may call it. `private`: as `restricted`, and it exists only for administrators and accounts with a grant ' +
        'on it. To everyone else its id is unknown (404), and lists leave it out.',
    }),
  ),
);

const checkState = Type.Unsafe<CheckState>(
  Type.Enum(['working', 'broken', 'unchecked'], {
    description:
      'Whether it answered its examples as expected; `unchecked`: not known since it last changed.',
  }),
);
const Check = named(
  'VersionCheck',
  Type.Object(
    {
      state: checkState,
      since: nullable(timestamp('Since when; null while it is unchecked.')),
    },
    {
      description:
        'What its checks say, of an algorithm those of its default version; absent where nothing checks.',
    },
  ),
);

const MAX_TAGS = 20;
const MAX_TAG = 50;
export const notBlank = (maxLength: number, description: string, example: string) =>
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
const params = named(
  'VersionParameters',
  Type.Unsafe<Readonly<Record<string, ParameterSpec>>>({
    ...jsonObject({
      description:
        'From parameter name to `type` (by its name in JSON Schema), `default`, `min`, `max` and `enum`. Bounds are of ' +
        'the value of numbers and of the length of strings and arrays. Empty: any parameters are handed on unchecked.',
      examples: [{ max_candidates: { type: 'integer', default: 5, min: 1, max: 20 } }],
    }),
    additionalProperties: parameter,
  }),
);
const schemaOf = (what: string, property: string) =>
  jsonObject({
    description: `${what} JSON Schema 2020-12, or an older draft where that means the same; references stay within; empty: anything.`,
    examples: [{ type: 'object', required: [property], properties: { [property]: { type: 'string' } } }],
  });
const inputSchema = schemaOf('What the version accepts: objects.', 'text');
const outputSchema = schemaOf('What the version answers, as its endpoint gives it.', 'language');

const algorithmFields = {
  name: notBlank(200, 'What people call it.', 'Language detection'),
  description: Type.String({
    maxLength: 10_000,
    description: 'What it does, for people.',
    examples: ['Tells in which language a text is written.'],
  }),
  type: notBlank(100, 'Free text: computer_vision, nlp, ml, …', 'nlp'),
};

const readme = (description: string) =>
  Type.String({ maxLength: MAX_README_BYTES, description, examples: ['## When to use it'] });

const versionFields = {
  version: notBlank(100, 'A label, unique within the algorithm.', '1.1.0'),
  url: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: 'The endpoint: absolute, `http` or `https`, or a scheme that a plugin contributes.',
    examples: ['https://algorithms.example.org/language'],
  }),
};

export const NewAlgorithmBody = Type.Object({
  ...algorithmFields,
  status: Type.Optional(Status),
  access: Type.Optional(Access),
  tags: Type.Optional(
    Type.Array(notBlank(MAX_TAG, 'A tag.', 'text'), {
      maxItems: MAX_TAGS,
      description: 'Of tags that are equal but for case and width, the first one is kept.',
    }),
  ),
  readme: Type.Optional(readme(`At most 64 KiB of Markdown.`)),
});

export const AlgorithmChangesBody = Type.Partial(NewAlgorithmBody, {
  examples: [{ description: 'Tells in which of 60 languages a text is written.' }],
});

const shape = {
  params: Type.Optional(nullable(params)),
  input_schema: Type.Optional(nullable(inputSchema)),
  output_schema: Type.Optional(nullable(outputSchema)),
};
const optionalVersionFields = {
  ...shape,
  is_default: Type.Optional(
    Type.Boolean({ description: 'Marks the version as the default; the old default loses the mark.' }),
  ),
};

export const NewVersionBody = Type.Object({ ...versionFields, ...optionalVersionFields });
/** What a version is called at, and what it takes and answers. */
export const DraftFields = { url: Type.Optional(versionFields.url), ...shape };
export const VersionChangesBody = Type.Partial(NewVersionBody, { examples: [{ is_default: true }] });

export const AlgorithmListQuery = PagingQuery({
  type: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 50,
      description: 'Only algorithms of exactly this type, or of one of several.',
    }),
  ),
  status: Type.Optional(
    Type.Array(status, { maxItems: 3, description: 'Only algorithms of this status, or of one of several.' }),
  ),
  check: Type.Optional(
    Type.Array(checkState, {
      maxItems: 3,
      description: 'Only algorithms whose default version is in this state, or in one of several.',
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: MAX_TAG }), {
      maxItems: MAX_TAGS,
      description: 'Only algorithms that have all these tags, in any case.',
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only algorithms whose name, description or tags contain this, in any case.',
    }),
  ),
  sort: Type.Enum(
    [
      '-created_at',
      'created_at',
      '-updated_at',
      'updated_at',
      'name',
      '-name',
      'calls',
      '-calls',
      'success',
      '-success',
    ],
    {
      default: '-created_at',
      description:
        'A minus means descending; ties are in the order of the ids. `calls` and `success` (rate) are at most 10 s old.',
    },
  ),
  facets: Type.Optional(
    Type.Boolean({ description: 'Whether to count types, statuses and tags of what matches.' }),
  ),
  stats: Type.Optional(Type.Boolean({ description: 'Whether to show the calls of each algorithm.' })),
});

const Facet = named(
  'Facet',
  Type.Object({
    name: Type.String({ description: 'The type, status or tag.', examples: ['nlp'] }),
    count: Type.Integer({ description: 'How many algorithms have it.', examples: [4] }),
  }),
);
const Facets = Type.Object(
  {
    types: Type.Array(Facet, { description: 'Whatever `type` selects.' }),
    statuses: Type.Array(Facet, { description: 'Whatever `status` selects.' }),
    tags: Type.Array(Facet, { description: 'Within what `tags` selects.' }),
    checks: Type.Optional(
      Type.Array(Facet, { description: 'By the state of the default version, whatever `check` selects.' }),
    ),
  },
  { description: 'With `facets=true`: counts of what else the query selects, the 100 highest of each.' },
);

const Stats = Type.Object(
  {
    calls: Type.Integer({ description: 'Of all time.' }),
    success_rate: Type.Number({ description: 'In percent; 0 without calls.' }),
    days: Type.Array(Type.Integer(), { description: 'Calls of the last 30 days in UTC, today last.' }),
  },
  { description: 'With `stats=true`; null where the service keeps no calls.' },
);

export const VersionAnswer = named(
  'AlgorithmVersion',
  Type.Object({
    id: Type.String({
      description: 'The identifier of the version: `version_id` in a call.',
      examples: [EXAMPLE_VERSION_ID],
    }),
    algorithm_id: Type.String({
      description: 'The algorithm that it is a version of.',
      examples: [EXAMPLE_ALGORITHM_ID],
    }),
    version: Type.String({ description: 'The label, unique within the algorithm.', examples: ['1.0.0'] }),
    url: Type.String({
      description: 'The endpoint that calls are sent to.',
      examples: ['plugin:samples/language-detection'],
    }),
    params,
    input_schema: inputSchema,
    output_schema: outputSchema,
    is_default: Type.Boolean({ description: 'Whether it is the default version of the algorithm.' }),
    schema_too_costly_since: Type.Optional(
      timestamp(
        'When checking a value against one of the schemas first took too long, so that a call was refused with ' +
          '`schema_too_costly`. Absent while none did, and again once the schemas are changed.',
      ),
    ),
    schema_paused_until: Type.Optional(
      timestamp(
        'When the last pause ends or ended: for a minute after three checks in a row that took too long, calls that ' +
          'need the schema are refused with `schema_too_costly` at once. Absent while there was none, and again once ' +
          'the schemas are changed.',
      ),
    ),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it last changed.'),
    check: Type.Optional(Check),
    unfit_examples: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String({ description: 'The identifier of the example.' }),
          name: Type.String({ description: 'Its name.' }),
          message: Type.String({ description: 'The first reason.' }),
        }),
        { description: 'Only in the answer to a change: the examples that the version does not accept.' },
      ),
    ),
  }),
);

const VERSIONS = 'Newest first. Always empty in lists.';

export const AlgorithmAnswer = named(
  'Algorithm',
  Type.Object({
    id: Type.String({
      description: 'The identifier: `algorithm_id` in a call.',
      examples: [EXAMPLE_ALGORITHM_ID],
    }),
    name: Type.String({ description: 'What people call it.', examples: ['Language detection'] }),
    description: Type.String({
      description: 'What it does, for people.',
      examples: ['Tells in which language a text is written.'],
    }),
    type: Type.String({ description: 'Free text: computer_vision, nlp, ml, …', examples: ['nlp'] }),
    status: Status,
    access: Access,
    tags: Type.Array(Type.String(), { description: 'By which it is found.', examples: [['text']] }),
    readme: Type.Optional(readme('Markdown as it was written. Absent in lists.')),
    stats: Type.Optional(nullable(Stats)),
    check: Type.Optional(Check),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it last changed.'),
    versions: Type.Array(VersionAnswer, { description: VERSIONS }),
  }),
);

/** The same on the wire; its example has no versions, as in lists and for a new algorithm. */
export const BareAlgorithmAnswer = named(
  'Algorithm',
  Type.Object({
    ...AlgorithmAnswer.properties,
    versions: Type.Array(VersionAnswer, { description: VERSIONS, examples: [[]] }),
  }),
);

export const AlgorithmListAnswer = Type.Object({
  algorithms: Type.Array(BareAlgorithmAnswer, { description: 'One page of them; `versions` is empty.' }),
  total: Type.Integer({ description: 'How many algorithms match, on all pages together.', examples: [16] }),
  facets: Type.Optional(Facets),
});

export const VersionListAnswer = Type.Array(VersionAnswer, { description: 'Newest first.' });

export type AlgorithmChanges = Type.Static<typeof AlgorithmChangesBody>;
export type NewVersionInput = Type.Static<typeof NewVersionBody>;
export type VersionChanges = Type.Static<typeof VersionChangesBody>;
export type AlgorithmFilter = Type.Static<typeof AlgorithmListQuery>;
export type AlgorithmAnswer = Type.Static<typeof AlgorithmAnswer>;
export type Facet = Type.Static<typeof Facet>;
export type Facets = Type.Static<typeof Facets>;
export type AlgorithmStats = Type.Static<typeof Stats>;
export type AlgorithmListAnswer = Type.Static<typeof AlgorithmListAnswer>;
export type VersionAnswer = Type.Static<typeof VersionAnswer>;
