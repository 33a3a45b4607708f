import { Type } from '../../../core/index.ts';
import { MAX_EXAMPLES } from '../examples/examples.ts';
import { NewExampleFields } from '../examples/schemas.ts';
import { AlgorithmListQuery, NewAlgorithmBody, NewVersionBody } from '../schemas.ts';
import { MOST_VERSIONS } from '../versions.ts';

/** Of the form of the file; a later one may say what this one does not understand. */
export const FORMAT = 1;

const strict = { additionalProperties: false };

const PortableExample = Type.Object(NewExampleFields, strict);

const PortableVersion = Type.Object(
  {
    ...NewVersionBody.properties,
    examples: Type.Optional(Type.Array(PortableExample, { maxItems: MAX_EXAMPLES })),
  },
  strict,
);

/** An algorithm in the file, with its versions and their examples, by names instead of ids. */
export const PortableAlgorithm = Type.Object(
  {
    ...NewAlgorithmBody.properties,
    versions: Type.Optional(Type.Array(PortableVersion, { maxItems: MOST_VERSIONS })),
  },
  strict,
);

/** The file but for the algorithms, each of which is checked by itself. */
export const PortableEnvelope = Type.Object(
  {
    vitrine: Type.Integer({ minimum: 1 }),
    algorithms: Type.Array(Type.Unknown()),
    sections: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  strict,
);

const { q, type, status, tags } = AlgorithmListQuery.properties;

/** Which algorithms are exported, and how. */
export const ExportQuery = Type.Object({
  format: Type.Optional(
    Type.Enum(['yaml', 'json'], {
      default: 'yaml',
      description: 'Both have the same content; `importCatalogue` takes JSON, `vitrine import` either.',
    }),
  ),
  algorithm_id: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 100,
      description: 'Only these algorithms; an unknown id selects none. Repeat it to name several.',
    }),
  ),
  q,
  type,
  status,
  tags,
  sections: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether what other plugins keep about the algorithms is in it, such as grants.',
    }),
  ),
});

export const ImportBody = Type.Object(
  {
    document: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What `exportCatalogue` answers as JSON.',
    }),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Only tells what would change, and what is wrong.' }),
    ),
    prune: Type.Optional(
      Type.Boolean({ default: false, description: 'Deletes what the document does not name.' }),
    ),
    skip_unknown: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Leaves out sections of plugins that are not enabled here, which are refused otherwise.',
      }),
    ),
  },
  {
    examples: [
      {
        document: {
          vitrine: FORMAT,
          algorithms: [{ name: 'Language', description: 'Tells the language of a text.', type: 'nlp' }],
        },
        dry_run: true,
      },
    ],
  },
);

export const ImportAnswer = Type.Object({
  dry_run: Type.Boolean({ description: 'Whether nothing was changed.', examples: [true] }),
  algorithms: Type.Integer({ description: 'How many algorithms the document has.', examples: [1] }),
  unchanged: Type.Integer({
    description: 'How many of them are here already, with the same versions and examples.',
    examples: [0],
  }),
  changes: Type.Array(
    Type.Object({
      action: Type.Enum(['create', 'update', 'delete'], { description: 'What happens to it.' }),
      what: Type.String({ description: 'The thing, by its name.', examples: ['algorithm "Language"'] }),
      fields: Type.Optional(
        Type.Array(Type.String(), { description: 'The fields that differ; for `update` only.' }),
      ),
    }),
    { description: 'In the order in which they are made.' },
  ),
});

export type ExportChoice = Type.Static<typeof ExportQuery>;
export type PortableExample = Type.Static<typeof PortableExample>;
export type PortableVersion = Type.Static<typeof PortableVersion>;
export type PortableAlgorithm = Type.Static<typeof PortableAlgorithm>;

/** A catalogue as a file: what `vitrine export` writes and `vitrine import` reads. */
export interface PortableCatalogue {
  readonly vitrine: number;
  readonly algorithms: readonly PortableAlgorithm[];
  /** What other plugins keep about algorithms, by the id of the plugin. */
  readonly sections: Readonly<Record<string, unknown>>;
}
