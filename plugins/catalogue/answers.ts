import type { Algorithm, AlgorithmVersion } from './contract.ts';
import type { UnfitExample } from './examples/examples.ts';
import type { ExampleAnswer } from './examples/schemas.ts';
import type { ExampleRow } from './models.ts';
import type { AlgorithmAnswer, VersionAnswer } from './schemas.ts';

/** A version on the wire. Missing parameters and schemas become empty objects. */
export function versionAnswer(
  { schema_too_costly_since, schema_paused_until, ...version }: AlgorithmVersion,
  unfit: readonly UnfitExample[] = [],
): VersionAnswer {
  return {
    ...version,
    params: version.params ?? {},
    input_schema: version.input_schema ?? {},
    output_schema: version.output_schema ?? {},
    ...(schema_too_costly_since === null ? {} : { schema_too_costly_since }),
    ...(schema_paused_until === null ? {} : { schema_paused_until }),
    ...(unfit.length === 0 ? {} : { unfit_examples: [...unfit] }),
  };
}

/** An example on the wire. */
export function exampleAnswer(row: ExampleRow): ExampleAnswer {
  const { id, name, description, input_data, params, output_data, tolerance, is_default, misfit } = row;
  const { created_at, updated_at } = row;
  const content = { input_data, params, output_data, tolerance };
  return { id, name, description, ...content, is_default, fits: misfit === null, created_at, updated_at };
}

/** An algorithm on the wire. */
export function algorithmAnswer({
  algorithm,
  readme,
  versions = [],
}: {
  readonly algorithm: Algorithm;
  readonly readme: string;
  readonly versions?: readonly AlgorithmVersion[];
}): AlgorithmAnswer {
  return { ...listedAnswer(algorithm), readme, versions: versions.map((version) => versionAnswer(version)) };
}

/** An algorithm of a list. */
export function listedAnswer(algorithm: Algorithm): AlgorithmAnswer {
  return { ...algorithm, tags: [...algorithm.tags], versions: [] };
}
