import { token, ValidationFailed } from '../../../core/index.ts';
import type { Algorithm, AlgorithmVersion, PortableSection } from '../contract.ts';
import type { Examples } from '../examples/examples.ts';
import type { ExampleRow } from '../models.ts';
import type { CatalogueReader } from '../reader.ts';
import {
  FORMAT,
  type PortableAlgorithm,
  type PortableCatalogue,
  type PortableExample,
  type PortableVersion,
} from './schemas.ts';

/** Writes the whole catalogue by names, so that another installation can have the same. */
export class CatalogueExport {
  readonly #reader: CatalogueReader;
  readonly #examples: Examples;
  readonly #sections: readonly PortableSection[];

  constructor(deps: { reader: CatalogueReader; examples: Examples; sections: readonly PortableSection[] }) {
    this.#reader = deps.reader;
    this.#examples = deps.examples;
    this.#sections = deps.sections;
  }

  /** Ordered by name. Throws `ValidationFailed` when two algorithms have the same name. */
  async collect(): Promise<PortableCatalogue> {
    const algorithms = await allByName(this.#reader);
    const portable: PortableAlgorithm[] = [];
    for (const { id } of algorithms.values()) portable.push(await this.algorithm(id));
    const names = new Map([...algorithms.values()].map(({ id, name }) => [id, name]));
    const sections: Record<string, unknown> = {};
    for (const section of this.#sections) {
      const value = await section.collect(names);
      if (value !== undefined) sections[section.name] = value;
    }
    return { vitrine: FORMAT, algorithms: portable, sections };
  }

  /** One algorithm as the file has it. Throws `AlgorithmNotFound`. */
  async algorithm(id: string): Promise<PortableAlgorithm> {
    const { algorithm, readme, versions } = await this.#reader.algorithmAndVersions(id);
    const { name, description, type, status, access, tags } = algorithm;
    const oldestFirst = await Promise.all(versions.toReversed().map((version) => this.#version(version)));
    return { name, description, type, status, access, tags: [...tags], readme, versions: oldestFirst };
  }

  async #version(of: AlgorithmVersion): Promise<PortableVersion> {
    const { id, version, url, is_default, params, input_schema, output_schema } = of;
    const examples = (await this.#examples.list(id)).map(exampleOf);
    return { version, url, is_default, params, input_schema, output_schema, examples };
  }
}

function exampleOf(row: ExampleRow): PortableExample {
  const { name, description, is_default, input_data, params, output_data, tolerance } = row;
  return { name, description, is_default, input_data, params, output_data, tolerance };
}

/** All algorithms by their names, in the order of these. Throws `ValidationFailed` when two have the same. */
export async function allByName(reader: CatalogueReader): Promise<ReadonlyMap<string, Algorithm>> {
  const all = await reader.inOrder(await reader.matching({}, 'all'));
  const byName = new Map<string, Algorithm>();
  for (const algorithm of [...all].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const same = byName.get(algorithm.name);
    if (same) {
      throw ValidationFailed(
        `Two algorithms are called "${algorithm.name}" (${same.id} and ${algorithm.id}), and the file tells them apart ` +
          'by their names. Rename one of them.',
      );
    }
    byName.set(algorithm.name, algorithm);
  }
  return byName;
}

export const CATALOGUE_EXPORT = token<CatalogueExport>('catalogue:export');
