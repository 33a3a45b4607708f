import {
  EXAMPLE_ALGORITHM_ID,
  EXAMPLE_VERSION_ID,
  type NewAlgorithm,
  type NewExample,
  type NewVersion,
} from '../catalogue/contract.ts';
import type { SampleAssets } from './assets.ts';
import type { About } from './describing/about.ts';

/** Processors differ in the last digits. */
const TOLERANCE = { absolute: 1e-9, relative: 1e-6 };

/** The sample that the examples of the OpenAPI document are about. */
const EXAMPLE = 'language-detection';

/** The id of a sample among the embedded algorithms. */
export function embeddedId({ name }: About): string {
  return `samples/${name}`;
}

/** A sample as an entry of the catalogue. */
export function algorithmOf(
  { name, title, description, type, tags }: About,
  { readme }: SampleAssets,
): NewAlgorithm {
  const about = { name: title, description, type, tags, readme };
  return { ...(name === EXAMPLE && { id: EXAMPLE_ALGORITHM_ID }), ...about };
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

/** The examples of its version, the default first. */
export function examplesOf({ example, examples }: About, { outputs }: SampleAssets): NewExample[] {
  return examples.map(({ name, description, input = example, params }, n) => ({
    name,
    description,
    input_data: input as NewExample['input_data'],
    params,
    output_data: outputs[n],
    tolerance: TOLERANCE,
  }));
}
