import { token, ValidationFailed } from '../../../core/index.ts';
import {
  AlgorithmNotFound,
  type Algorithm,
  type AlgorithmVersion,
  type PortableSection,
} from '../contract.ts';
import type { Examples } from '../examples/examples.ts';
import type { ExampleRow } from '../models.ts';
import type { CatalogueReader } from '../reader.ts';
import type { Selection } from '../search.ts';
import {
  FORMAT,
  type ExportChoice,
  type PortableAlgorithm,
  type PortableCatalogue,
  type PortableExample,
  type PortableVersion,
} from './schemas.ts';

/** A catalogue that is read while it is written. */
export interface CatalogueParts {
  readonly algorithms: AsyncIterable<PortableAlgorithm>;
  readonly sections: () => Promise<PortableCatalogue['sections']>;
}

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
    const { algorithms, sections } = await this.parts({});
    const portable: PortableAlgorithm[] = [];
    for await (const algorithm of algorithms) portable.push(algorithm);
    return { vitrine: FORMAT, algorithms: portable, sections: await sections() };
  }

  /** As `collect`, of some algorithms, which are read one by one. */
  async parts({ algorithm_id: ids, sections = true, ...selection }: ExportChoice): Promise<CatalogueParts> {
    const algorithms = [...(await allByName(this.#reader, { selection, among: ids })).values()];
    return {
      algorithms: this.#each(algorithms),
      sections: async () => (sections ? this.#sectionsOf(algorithms) : {}),
    };
  }

  async *#each(algorithms: readonly Algorithm[]): AsyncGenerator<PortableAlgorithm> {
    for (const { id } of algorithms) {
      try {
        yield await this.algorithm(id);
      } catch (error) {
        // It was deleted since.
        if (!AlgorithmNotFound.is(error)) throw error;
      }
    }
  }

  async #sectionsOf(algorithms: readonly Algorithm[]): Promise<Readonly<Record<string, unknown>>> {
    const names = new Map(algorithms.map(({ id, name }) => [id, name]));
    const sections: Record<string, unknown> = {};
    for (const section of this.#sections) {
      const value = await section.collect(names);
      if (value !== undefined) sections[section.name] = value;
    }
    return sections;
  }

  /** One algorithm as the file has it. Throws `AlgorithmNotFound`. */
  async algorithm(id: string): Promise<PortableAlgorithm> {
    const { algorithm, readme, versions } = await this.#reader.algorithmAndVersions(id);
    const { name, description, type, status, access, tags } = algorithm;
    const examples = await this.#examples.listAll(id);
    const oldestFirst = versions.toReversed().map((version) => versionOf(version, examples));
    return { name, description, type, status, access, tags: [...tags], readme, versions: oldestFirst };
  }
}

function versionOf(of: AlgorithmVersion, all: readonly ExampleRow[]): PortableVersion {
  const { id, version, url, is_default, params, input_schema, output_schema } = of;
  const examples = all.filter(({ version_id }) => version_id === id).map(exampleOf);
  return { version, url, is_default, params, input_schema, output_schema, examples };
}

function exampleOf(row: ExampleRow): PortableExample {
  const { name, description, is_default, input_data, params, output_data, tolerance } = row;
  return { name, description, is_default, input_data, params, output_data, tolerance };
}

/** Which algorithms are found by their names. */
interface ByName {
  readonly selection?: Selection;
  /** Only those with these ids. */
  readonly among?: readonly string[] | undefined;
  /** Whether it matters that a name leads to one algorithm; by default it does for all. */
  readonly matters?: (name: string) => boolean;
}

/** Algorithms by their names, in the order of these. Throws `ValidationFailed` when two have the same and that matters. */
export async function allByName(
  reader: CatalogueReader,
  { selection = {}, among, matters = () => true }: ByName,
): Promise<ReadonlyMap<string, Algorithm>> {
  const matching = await reader.matching(selection, 'all');
  const chosen = among && new Set(among);
  const all = await reader.inOrder(chosen ? matching.filter((id) => chosen.has(id)) : matching);
  const byName = new Map<string, Algorithm>();
  for (const algorithm of [...all].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const same = byName.get(algorithm.name);
    if (same && matters(algorithm.name)) {
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
