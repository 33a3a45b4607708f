import { Type, type Static } from '../../../core/index.ts';
import { NewExampleFields } from '../examples/schemas.ts';
import { NewAlgorithmBody, NewVersionBody } from '../schemas.ts';

/** Of the form of the file; a later one may say what this one does not understand. */
export const FORMAT = 1;

const strict = { additionalProperties: false };

const PortableExample = Type.Object(NewExampleFields, strict);

const PortableVersion = Type.Object(
  { ...NewVersionBody.properties, examples: Type.Optional(Type.Array(PortableExample)) },
  strict,
);

/** An algorithm in the file, with its versions and their examples, by names instead of ids. */
export const PortableAlgorithm = Type.Object(
  { ...NewAlgorithmBody.properties, versions: Type.Optional(Type.Array(PortableVersion)) },
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

export type PortableExample = Static<typeof PortableExample>;
export type PortableVersion = Static<typeof PortableVersion>;
export type PortableAlgorithm = Static<typeof PortableAlgorithm>;

/** A catalogue as a file: what `vitrine export` writes and `vitrine import` reads. */
export interface PortableCatalogue {
  readonly vitrine: number;
  readonly algorithms: readonly PortableAlgorithm[];
  /** What other plugins keep about algorithms, by the id of the plugin. */
  readonly sections: Readonly<Record<string, unknown>>;
}
