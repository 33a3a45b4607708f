import type { NewAlgorithm, NewVersion } from '../catalogue/contract.ts';
import type { About } from './describing/about.ts';

/** The id of a sample among the embedded algorithms. */
export function embeddedId({ name }: About): string {
  return `samples/${name}`;
}

/** A sample as an entry of the catalogue. */
export function algorithmOf({ title, description, type }: About): NewAlgorithm {
  return { name: title, description, type };
}

/** Its version. The example input is part of the schema, where any client finds it. */
export function versionOf(about: About): NewVersion {
  return {
    version: about.version,
    url: `plugin:${embeddedId(about)}`,
    params: about.params,
    input_schema: { ...about.input, examples: [about.example] },
    output_schema: { ...about.output },
    is_default: true,
  };
}
