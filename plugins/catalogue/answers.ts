import type { Algorithm, AlgorithmVersion } from './contract.ts';
import type { AlgorithmAnswer, VersionAnswer } from './schemas.ts';

/** A version on the wire, where absent parameters and schemas are empty objects. */
export function versionAnswer(version: AlgorithmVersion): VersionAnswer {
  return {
    ...version,
    params: version.params ?? {},
    input_schema: version.input_schema ?? {},
    output_schema: version.output_schema ?? {},
  };
}

/** An algorithm on the wire. */
export function algorithmAnswer(
  algorithm: Algorithm,
  versions: readonly AlgorithmVersion[],
): AlgorithmAnswer {
  return { ...algorithm, versions: versions.map(versionAnswer) };
}
