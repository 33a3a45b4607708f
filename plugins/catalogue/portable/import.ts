import { isDeepStrictEqual } from 'node:util';
import { Problem, token, ValidationFailed, type Author } from '../../../core/index.ts';
import type { Algorithms } from '../algorithms.ts';
import type { ImportChange, PortableSection, SchemaValidator } from '../contract.ts';
import type { Examples } from '../examples/examples.ts';
import type { CatalogueReader } from '../reader.ts';
import type { Versions } from '../versions.ts';
import { allByName, type CatalogueExport } from './export.ts';
import { readPortable } from './read.ts';
import type { PortableAlgorithm, PortableCatalogue, PortableExample, PortableVersion } from './schemas.ts';

/** How a file is imported. */
export interface ImportOptions {
  /** Says what would change, and changes nothing. */
  readonly dryRun: boolean;
  /** Deletes algorithms, versions, examples and what sections keep that the file does not name. */
  readonly prune: boolean;
  readonly by: Author;
}

/** What an import changed, or would. */
export interface Imported {
  readonly changes: readonly ImportChange[];
  /** Algorithms of the file. */
  readonly algorithms: number;
}

export interface CatalogueImportDeps {
  readonly reader: CatalogueReader;
  readonly algorithms: Algorithms;
  readonly versions: Versions;
  readonly examples: Examples;
  readonly exported: CatalogueExport;
  readonly sections: readonly PortableSection[];
  readonly checks: Pick<SchemaValidator, 'checkFor'>;
}

/** Makes the catalogue like a file that was read. */
export class CatalogueImport {
  readonly #deps: CatalogueImportDeps;

  constructor(deps: CatalogueImportDeps) {
    this.#deps = deps;
  }

  /** Reads the text of a file, as `readPortable` does. */
  read(text: string, options: { readonly skipUnknown: boolean }): Promise<PortableCatalogue> {
    return readPortable(text, { ...this.#deps, ...options });
  }

  /**
   * Goes algorithm by algorithm, and stops at the first that is refused with a problem that names it; what was done before
   * stays, and the same import goes on from there. What can be known before is refused before anything is changed.
   */
  async run(catalogue: PortableCatalogue, options: ImportOptions): Promise<Imported> {
    const planned = await this.#pass(catalogue, { ...options, dryRun: true });
    return options.dryRun ? planned : this.#pass(catalogue, options);
  }

  async #pass({ algorithms, sections }: PortableCatalogue, options: ImportOptions): Promise<Imported> {
    const { reader } = this.#deps;
    const before = await allByName(reader);
    const ids = new Map<string, string | undefined>([...before.values()].map(({ id, name }) => [name, id]));
    const work = new ImportRun(this.#deps, options);
    for (const algorithm of algorithms) {
      ids.set(algorithm.name, await work.algorithm(algorithm, before.get(algorithm.name)?.id));
    }
    const named = new Set(algorithms.map(({ name }) => name));
    for (const { id, name } of before.values()) {
      if (!options.prune || named.has(name)) continue;
      await work.change({ action: 'delete', what: `algorithm "${name}"` }, () =>
        this.#deps.algorithms.remove(id, options.by),
      );
      ids.delete(name);
    }
    for (const section of this.#deps.sections) {
      if (!(section.name in sections) && !options.prune) continue;
      work.changes.push(...(await section.bring(sections[section.name], { ids, ...options })));
    }
    return { changes: work.changes, algorithms: algorithms.length };
  }
}

/** One run of an import, with what it changed so far. */
class ImportRun {
  readonly changes: ImportChange[] = [];
  readonly #deps: CatalogueImportDeps;
  readonly #options: ImportOptions;

  constructor(deps: CatalogueImportDeps, options: ImportOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Returns the id; `undefined` for one that a dry run would create. */
  async algorithm(to: PortableAlgorithm, id: string | undefined): Promise<string | undefined> {
    const { algorithms, exported } = this.#deps;
    const { by } = this.#options;
    const what = `algorithm "${to.name}"`;
    const { versions: wanted = [], ...fields } = to;
    const from = id === undefined ? undefined : await exported.algorithm(id);
    const known = await this.#write(
      what,
      fields,
      from,
      async () => id ?? (await algorithms.create(fields, by)).id,
      (differing) => algorithms.update(id!, differing, by),
    );
    const algorithmId = id ?? known;
    for (const version of wanted) await this.#version(what, algorithmId, version, from);
    await this.#pruneVersions(what, algorithmId, wanted, from?.versions ?? []);
    return algorithmId;
  }

  async #version(
    of: string,
    algorithmId: string | undefined,
    { examples: wanted = [], ...fields }: PortableVersion,
    algorithm: PortableAlgorithm | undefined,
  ): Promise<void> {
    const { versions } = this.#deps;
    const { by } = this.#options;
    const what = `version "${fields.version}" of ${of}`;
    const from = algorithm?.versions?.find(({ version }) => version === fields.version);
    const id = from && (await this.#versionId(algorithmId!, fields.version));
    const made = await this.#write(
      what,
      fields,
      from,
      async () => (await versions.create(algorithmId!, fields, by)).id,
      (differing) => versions.update(algorithmId!, id!, differing, by),
    );
    const ids = { id: (id ?? made)!, algorithm_id: algorithmId! };
    for (const example of wanted) await this.#example(what, ids, example, from?.examples ?? []);
    if (!this.#options.prune) return;
    for (const { name } of from?.examples ?? []) {
      if (wanted.some((example) => example.name === name)) continue;
      await this.change({ action: 'delete', what: `example "${name}" of ${what}` }, async () =>
        this.#deps.examples.remove(ids, await this.#exampleId(ids.id, name), by),
      );
    }
  }

  async #example(
    of: string,
    ids: { readonly id: string; readonly algorithm_id: string },
    example: PortableExample,
    present: readonly PortableExample[],
  ): Promise<void> {
    const { examples } = this.#deps;
    const { by } = this.#options;
    const from = present.find(({ name }) => name === example.name);
    await this.#write(
      `example "${example.name}" of ${of}`,
      example,
      from,
      async () => (await examples.create(ids, { input_data: {}, ...example }, by)).id,
      async (differing) => examples.update(ids, await this.#exampleId(ids.id, example.name), differing, by),
    );
  }

  async #pruneVersions(
    of: string,
    algorithmId: string | undefined,
    wanted: readonly PortableVersion[],
    present: readonly PortableVersion[],
  ): Promise<void> {
    const { by, prune } = this.#options;
    if (!prune) return;
    for (const { version } of present) {
      if (wanted.some((each) => each.version === version)) continue;
      await this.change({ action: 'delete', what: `version "${version}" of ${of}` }, async () =>
        this.#deps.versions.remove(algorithmId!, await this.#versionId(algorithmId!, version), by),
      );
    }
  }

  /** Creates what is missing, and returns its id; changes what differs in the fields that the file has. */
  async #write<T extends object>(
    what: string,
    to: T,
    from: object | undefined,
    create: () => Promise<string>,
    update: (differing: T) => Promise<unknown>,
  ): Promise<string | undefined> {
    if (!from) return this.change({ action: 'create', what }, create);
    const fields = Object.entries(to).filter(
      ([name, value]) => !isDeepStrictEqual(value, from[name as keyof object]),
    );
    if (fields.length === 0) return undefined;
    const names = fields.map(([name]) => name);
    await this.change({ action: 'update', what, fields: names }, () =>
      update(Object.fromEntries(fields) as T),
    );
    return undefined;
  }

  /** Makes a change unless this is a dry run. What refuses it is told with the thing that it is about. */
  async change<T>(change: ImportChange, make: () => Promise<T>): Promise<T | undefined> {
    this.changes.push(change);
    if (this.#options.dryRun) return undefined;
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const faults = (error.extras.errors ?? []).map(({ pointer, message }) => `\n${pointer} ${message}`);
      throw ValidationFailed(`The ${change.what} was refused: ${error.message}${faults.join('')}`, {
        cause: error,
      });
    }
  }

  async #versionId(algorithmId: string, label: string): Promise<string> {
    const { versions } = await this.#deps.reader.algorithmAndVersions(algorithmId);
    return versions.find(({ version }) => version === label)!.id;
  }

  async #exampleId(versionId: string, name: string): Promise<string> {
    return (await this.#deps.examples.list(versionId)).find((example) => example.name === name)!.id;
  }
}

export const CATALOGUE_IMPORT = token<CatalogueImport>('catalogue:import');
