import type { Algorithm, AlgorithmVersion } from './contract.ts';
import type { AlgorithmAnswer, VersionAnswer } from './schemas.ts';

/** A version on the wire. Missing parameters and schemas become empty objects. */
export function versionAnswer({
  schema_too_costly_since,
  schema_paused_until,
  ...version
}: AlgorithmVersion): VersionAnswer {
  return {
    ...version,
    params: version.params ?? {},
    input_schema: version.input_schema ?? {},
    output_schema: version.output_schema ?? {},
    ...(schema_too_costly_since === null ? {} : { schema_too_costly_since }),
    ...(schema_paused_until === null ? {} : { schema_paused_until }),
  };
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
  return { ...listedAnswer(algorithm), readme, versions: versions.map(versionAnswer) };
}

/** An algorithm of a list. */
export function listedAnswer(algorithm: Algorithm): AlgorithmAnswer {
  return { ...algorithm, tags: [...algorithm.tags], versions: [] };
}
