import { stringify } from 'yaml';
import type { CatalogueParts } from './export.ts';
import { FORMAT } from './schemas.ts';

const YAML = { lineWidth: 0, aliasDuplicateObjects: false };

/** A value as the YAML of a file has it. */
export const yamlOf = (value: unknown): string => stringify(value, YAML);

/** A catalogue as YAML, an algorithm at a time, so that no large one holds up everything else. */
export async function* writtenAsYaml({ algorithms, sections }: CatalogueParts): AsyncGenerator<string> {
  const head = `vitrine: ${FORMAT}\nalgorithms:`;
  let isEmpty = true;
  for await (const algorithm of algorithms) {
    // The list with its one item, without the line that names the list.
    const item = yamlOf({ algorithms: [algorithm] }).slice('algorithms:'.length);
    yield isEmpty ? head + item : item.slice(1);
    isEmpty = false;
  }
  if (isEmpty) yield `${head} []\n`;
  yield yamlOf({ sections: await sections() });
}

/** A catalogue as JSON, an algorithm at a time. */
export async function* writtenAsJson({ algorithms, sections }: CatalogueParts): AsyncGenerator<string> {
  yield `{"vitrine":${FORMAT},"algorithms":[`;
  let comma = '';
  for await (const algorithm of algorithms) {
    yield comma + JSON.stringify(algorithm);
    comma = ',';
  }
  yield `],"sections":${JSON.stringify(await sections())}}`;
}
