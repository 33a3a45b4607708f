import { orNull } from '../records.ts';
import { withoutRepeated } from '../tags.ts';
import type { PortableAlgorithm, PortableVersion } from './schemas.ts';

/** An algorithm of a file as the catalogue would store it. Without this an import would find changes that change nothing. */
export function asStored({ name, type, tags, versions, ...others }: PortableAlgorithm): PortableAlgorithm {
  return {
    name: name.trim(),
    type: type.trim(),
    ...others,
    ...(tags && { tags: withoutRepeated(tags.map((tag) => tag.trim())) }),
    ...(versions && { versions: versions.map(versionAsStored) }),
  };
}

function versionAsStored({ version, examples, ...others }: PortableVersion): PortableVersion {
  const { params, input_schema, output_schema } = others;
  return {
    version: version.trim(),
    ...others,
    ...(params && { params: orNull(params) }),
    ...(input_schema && { input_schema: orNull(input_schema) }),
    ...(output_schema && { output_schema: orNull(output_schema) }),
    ...(examples && { examples: examples.map((example) => ({ ...example, name: example.name.trim() })) }),
  };
}
