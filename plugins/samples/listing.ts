import {
  EXAMPLE_ALGORITHM_ID,
  EXAMPLE_VERSION_ID,
  type NewAlgorithm,
  type NewVersion,
} from '../catalogue/contract.ts';
import type { About } from './describing/about.ts';

/** The sample that the examples of the OpenAPI document are about. */
const EXAMPLE = 'language-detection';

/** The id of a sample among the embedded algorithms. */
export function embeddedId({ name }: About): string {
  return `samples/${name}`;
}

/** A sample as an entry of the catalogue. */
export function algorithmOf({ name, title, description, type }: About): NewAlgorithm {
  return { ...(name === EXAMPLE && { id: EXAMPLE_ALGORITHM_ID }), name: title, description, type };
}

/** Its version. The example input is part of the schema, where any client finds it. */
export function versionOf(about: About): NewVersion {
  return {
    ...(about.name === EXAMPLE && { id: EXAMPLE_VERSION_ID }),
    version: about.version,
    url: `plugin:${embeddedId(about)}`,
    params: about.params,
    input_schema: { ...about.input, examples: [about.example] },
    output_schema: { ...about.output },
    is_default: true,
  };
}
