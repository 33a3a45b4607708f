import { isDeepStrictEqual } from 'node:util';
import { token, ValidationFailed, type Author } from '../../../core/index.ts';
import { faultsOfReadme, type Algorithms } from '../algorithms.ts';
import type { ImportChange, PortableSection, SchemaFinding, SchemaValidator } from '../contract.ts';
import type { Examples } from '../examples/examples.ts';
import type { CatalogueReader } from '../reader.ts';
import { isRefusal, type VersionRules } from '../version-rules.ts';
import { labelKey, type Versions } from '../versions.ts';
import { allByName, type CatalogueExport } from './export.ts';
import type { ImportLock } from './import-lock.ts';
import { checkPortable, placed, readPortable, refuse } from './read.ts';
import type { PortableAlgorithm, PortableCatalogue, PortableExample, PortableVersion } from './schemas.ts';

/** How a file is imported. */
export interface ImportOptions {
  /** Says what would change, and changes nothing. */
  readonly dryRun: boolean;
  /** Deletes algorithms, versions, examples and what sections keep that the file does not name. */
  readonly prune: boolean;
  readonly by: Author;
  /** The JSON Pointer of the file in what was sent, which those of faults begin with. */
  readonly at?: string;
}

/** What an import changed, or would. */
export interface Imported {
  readonly changes: readonly ImportChange[];
  /** Algorithms of the file. */
  readonly algorithms: number;
  /** How many of them were like the file already, with their versions and examples. */
  readonly unchanged: number;
}

export interface CatalogueImportDeps {
  readonly reader: CatalogueReader;
  readonly algorithms: Algorithms;
  readonly versions: Versions;
  readonly examples: Examples;
  readonly exported: CatalogueExport;
  readonly sections: readonly PortableSection[];
  readonly checks: Pick<SchemaValidator, 'checkFor'>;
  readonly rules: VersionRules;
  readonly lock: ImportLock;
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

  /** Checks a file that was parsed already, as `checkPortable` does. */
  check(
    file: unknown,
    options: { readonly skipUnknown: boolean; readonly at: string },
  ): Promise<PortableCatalogue> {
    return checkPortable(file, { ...this.#deps, ...options });
  }

  /**
   * Goes algorithm by algorithm, and stops at the first that is refused with a problem that names it; what was done before
   * stays, and the same import goes on from there. What can be known before is refused before anything is changed. Throws
   * `ImportRunning` while another one changes the catalogue.
   */
  async run(catalogue: PortableCatalogue, options: ImportOptions): Promise<Imported> {
    const plan = (): Promise<Imported> => this.#pass(catalogue, { ...options, dryRun: true });
    if (options.dryRun) return plan();
    return this.#deps.lock.hold(async (lost) => {
      await plan();
      return this.#pass(catalogue, options, lost);
    });
  }

  async #pass(catalogue: PortableCatalogue, options: ImportOptions, lost?: AbortSignal): Promise<Imported> {
    const { algorithms, sections } = catalogue;
    const { reader } = this.#deps;
    const { at: root = '' } = options;
    const meant = new Set([...algorithms.map(({ name }) => name), ...textsIn(sections)]);
    const matters = (name: string): boolean => options.prune || meant.has(name);
    const before = await placed(`${root}/algorithms`, () => allByName(reader, { matters }));
    const ids = new Map<string, string | undefined>([...before.values()].map(({ id, name }) => [name, id]));
    const work = new ImportRun(this.#deps, options, lost);
    let unchanged = 0;
    for (const [n, algorithm] of algorithms.entries()) {
      const { length } = work.changes;
      const at = `/algorithms/${n}`;
      ids.set(algorithm.name, await work.algorithm(algorithm, before.get(algorithm.name)?.id, at));
      if (work.changes.length === length) unchanged += 1;
    }
    refuse(catalogue, work.faults, options.at);
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
      lost?.throwIfAborted();
      const bring = () => section.bring(sections[section.name], { ids, ...options });
      work.changes.push(...(await placed(`${root}/sections/${section.name}`, bring)));
    }
    return { changes: work.changes, algorithms: algorithms.length, unchanged };
  }
}

/** What the catalogue has of an algorithm; it has no id in a dry run that would create it. */
interface Present {
  readonly id: string | undefined;
  readonly versions: readonly PortableVersion[];
  readonly versionIds: ReadonlyMap<string, string>;
}

/** One run of an import, with what it changed so far. */
class ImportRun {
  readonly changes: ImportChange[] = [];
  /** What a dry run found that the catalogue would refuse. */
  readonly faults: SchemaFinding[] = [];
  readonly #deps: CatalogueImportDeps;
  readonly #options: ImportOptions;
  readonly #lost: AbortSignal | undefined;

  constructor(deps: CatalogueImportDeps, options: ImportOptions, lost: AbortSignal | undefined) {
    this.#deps = deps;
    this.#options = options;
    this.#lost = lost;
  }

  /** Returns the id; `undefined` for one that a dry run would create. */
  async algorithm(to: PortableAlgorithm, id: string | undefined, at: string): Promise<string | undefined> {
    const { algorithms, exported } = this.#deps;
    const { by } = this.#options;
    const what = `algorithm "${to.name}"`;
    const { versions: wanted = [], ...fields } = to;
    const from = id === undefined ? undefined : await exported.algorithm(id);
    if (this.#options.dryRun) this.#note(faultsOfReadme(fields.readme), at);
    const known = await this.#write(
      what,
      fields,
      from,
      async () => id ?? (await algorithms.create(fields, by)).id,
      (differing) => algorithms.update(id!, differing, by),
    );
    const algorithmId = id ?? known;
    const versionIds = id === undefined ? new Map<string, string>() : await this.#versionIds(id);
    const present = { id: algorithmId, versions: from?.versions ?? [], versionIds };
    for (const [n, version] of wanted.entries()) {
      await this.#version(what, present, version, `${at}/versions/${n}`);
    }
    await this.#pruneVersions(what, present, wanted);
    return algorithmId;
  }

  async #version(
    of: string,
    { id: algorithmId, versions: present, versionIds }: Present,
    { examples: wanted = [], ...fields }: PortableVersion,
    at: string,
  ): Promise<void> {
    const { versions, examples } = this.#deps;
    const { by } = this.#options;
    const what = `version "${fields.version}" of ${of}`;
    const id = versionIds.get(labelKey(fields.version));
    const same = present.find(({ version }) => isSameLabel(version, fields.version));
    // One that was deleted meanwhile is created again.
    const from = id === undefined ? undefined : same;
    if (this.#options.dryRun) this.#note(await this.#deps.rules.faultsOf(differing(fields, from)), at);
    const made = await this.#write(
      what,
      fields,
      from,
      async () => (await versions.create(algorithmId!, fields, by)).id,
      async (differing) => examples.recheck(await versions.update(algorithmId!, id!, differing, by)),
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
    { id: algorithmId, versions: present, versionIds }: Present,
    wanted: readonly PortableVersion[],
  ): Promise<void> {
    const { by, prune } = this.#options;
    if (!prune) return;
    for (const { version } of present) {
      if (wanted.some((each) => isSameLabel(each.version, version))) continue;
      const id = versionIds.get(labelKey(version));
      if (id === undefined) continue;
      await this.change({ action: 'delete', what: `version "${version}" of ${of}` }, () =>
        this.#deps.versions.remove(algorithmId!, id, by),
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
    const changes = differing(to, from);
    const fields = Object.keys(changes);
    if (fields.length === 0) return undefined;
    await this.change({ action: 'update', what, fields }, () => update(changes as T));
    return undefined;
  }

  /** Notes what the catalogue would refuse of a thing, by the place of the thing in the file. */
  #note(faults: readonly SchemaFinding[], at: string): void {
    for (const { pointer, message } of faults)
      this.faults.push({ pointer: at + pointer.slice('/body'.length), message });
  }

  /** Makes a change unless this is a dry run. What refuses it is told with the thing that it is about. */
  async change<T>(change: ImportChange, make: () => Promise<T>): Promise<T | undefined> {
    this.changes.push(change);
    if (this.#options.dryRun) return undefined;
    this.#lost?.throwIfAborted();
    try {
      return await make();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const faults = (error.extras.errors ?? []).map(({ pointer, message }) => `\n${pointer} ${message}`);
      const message = `The ${change.what} was refused: ${error.message}${faults.join('')}`;
      throw ValidationFailed(message, {
        cause: error,
        errors: [{ pointer: this.#options.at ?? '', message }],
      });
    }
  }

  /** By the keys of their labels. */
  async #versionIds(algorithmId: string): Promise<ReadonlyMap<string, string>> {
    const { versions } = await this.#deps.reader.algorithmAndVersions(algorithmId);
    return new Map(versions.map(({ id, version }) => [labelKey(version), id]));
  }

  /** Of one that was deleted meanwhile an id that no example has, so that the change is refused with its name. */
  async #exampleId(versionId: string, name: string): Promise<string> {
    return (await this.#deps.examples.list(versionId)).find((example) => example.name === name)?.id ?? '';
  }
}

/** All texts in sections. Only their plugins know them, so any text may be the name of an algorithm. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function isSameLabel(one: string, other: string): boolean {
  return labelKey(one) === labelKey(other);
}

/** The fields that something does not have like this; all of them where there is nothing yet. */
function differing<T extends object>(to: T, from: object | undefined): Partial<T> {
  const fields = Object.entries(to).filter(
    ([name, value]) => !from || !isDeepStrictEqual(value, from[name as keyof object]),
  );
  return Object.fromEntries(fields) as Partial<T>;
}

export const CATALOGUE_IMPORT = token<CatalogueImport>('catalogue:import');
