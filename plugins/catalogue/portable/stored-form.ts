import { orNull } from '../records.ts';
import { withoutRepeated } from '../tags.ts';
import type { PortableAlgorithm, PortableVersion } from './schemas.ts';

/** An algorithm of a file as the catalogue would store it. Without this an import would find changes that change nothing. */
export function asStored(algorithm: PortableAlgorithm): PortableAlgorithm {
  const { name, type, tags, versions } = algorithm;
  return {
    ...algorithm,
    name: name.trim(),
    type: type.trim(),
    ...(tags && { tags: withoutRepeated(tags.map((tag) => tag.trim())) }),
    ...(versions && { versions: versions.map(versionAsStored) }),
  };
}

function versionAsStored(of: PortableVersion): PortableVersion {
  const { version, params, input_schema, output_schema, examples } = of;
  return {
    ...of,
    version: version.trim(),
    ...(params && { params: orNull(params) }),
    ...(input_schema && { input_schema: orNull(input_schema) }),
    ...(output_schema && { output_schema: orNull(output_schema) }),
    ...(examples && { examples: examples.map((example) => ({ ...example, name: example.name.trim() })) }),
  };
}
