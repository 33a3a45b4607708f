import type { Author, Principal } from '../../core/index.ts';
import type { Algorithms } from './algorithms.ts';
import type { Callables } from './callables.ts';
import {
  AlgorithmNotFound,
  VersionNotFound,
  type Algorithm,
  type AlgorithmVersion,
  type CallableVersion,
  type Catalogue,
  type Example,
  type ExampledVersion,
  type NewAlgorithm,
  type NewExample,
  type NewVersion,
} from './contract.ts';
import type { Examples } from './examples/examples.ts';
import type { CatalogueReader } from './reader.ts';
import type { Versions } from './versions.ts';
import type { Visibility } from './visibility.ts';

/** A plugin that does not say which one it is. */
const UNNAMED: Author = { kind: 'plugin' };

/** The catalogue as other plugins see it. */
export class CatalogueForPlugins implements Catalogue {
  readonly #reader: CatalogueReader;
  readonly #algorithms: Algorithms;
  readonly #versions: Versions;
  readonly #callables: Callables;
  readonly #examples: Examples;
  readonly #visibility: Visibility;

  constructor(deps: {
    reader: CatalogueReader;
    algorithms: Algorithms;
    versions: Versions;
    callables: Callables;
    examples: Examples;
    visibility: Visibility;
  }) {
    this.#reader = deps.reader;
    this.#algorithms = deps.algorithms;
    this.#versions = deps.versions;
    this.#callables = deps.callables;
    this.#examples = deps.examples;
    this.#visibility = deps.visibility;
  }

  algorithm(id: string): Promise<Algorithm>;
  algorithm(id: string, viewer: Principal): Algorithm | Promise<Algorithm>;
  algorithm(id: string, viewer?: Principal): Algorithm | Promise<Algorithm> {
    return viewer ? this.#visibility.algorithm(id, viewer) : this.#reader.algorithm(id);
  }

  async version(algorithmId: string, versionId: string): Promise<AlgorithmVersion> {
    return (await this.#reader.version(algorithmId, versionId)).version;
  }

  callable(
    algorithmId: string,
    versionId: string,
    viewer?: Principal,
  ): CallableVersion | Promise<CallableVersion> {
    const seen = viewer && this.#visibility.algorithm(algorithmId, viewer);
    if (!(seen instanceof Promise)) return this.#callables.callable(algorithmId, versionId);
    return seen.then(() => this.#callables.callable(algorithmId, versionId));
  }

  defaultCallable(algorithmId: string, viewer?: Principal): CallableVersion | Promise<CallableVersion> {
    const seen = viewer && this.#visibility.algorithm(algorithmId, viewer);
    if (!(seen instanceof Promise)) return this.#callables.defaultCallable(algorithmId);
    return seen.then(() => this.#callables.defaultCallable(algorithmId));
  }

  async callableByVersion(versionId: string, viewer?: Principal): Promise<CallableVersion> {
    // An unknown version is sought as an algorithm too, and so refused after as many reads as one of a private algorithm.
    const algorithmId = (await this.#reader.algorithmOf(versionId)) ?? versionId;
    try {
      return await this.callable(algorithmId, versionId, viewer);
    } catch (error) {
      if (!AlgorithmNotFound.is(error) && !VersionNotFound.is(error)) throw error;
      throw VersionNotFound(`No version has the id "${versionId}".`);
    }
  }

  visibleAmong(ids: readonly string[], viewer: Principal): Promise<readonly string[]> {
    return this.#visibility.among(ids, viewer);
  }

  async examples(versionId: string): Promise<readonly Example[]> {
    return (await this.#examples.list(versionId)).map(
      ({ id, name, input_data, params, output_data, tolerance, misfit }) => ({
        id,
        name,
        input_data,
        params,
        output_data,
        tolerance,
        fits: misfit === null,
      }),
    );
  }

  exampledVersions(algorithmId?: string): Promise<readonly ExampledVersion[]> {
    return this.#reader.exampledVersions(algorithmId);
  }

  count(): Promise<number> {
    return this.#reader.count();
  }

  create(algorithm: NewAlgorithm, by: Author = UNNAMED): Promise<Algorithm> {
    return this.#algorithms.create(algorithm, by);
  }

  createVersion(algorithmId: string, version: NewVersion, by: Author = UNNAMED): Promise<AlgorithmVersion> {
    return this.#versions.create(algorithmId, version, by);
  }

  async createExample(
    algorithmId: string,
    versionId: string,
    example: NewExample,
    by: Author = UNNAMED,
  ): Promise<void> {
    await this.#examples.create({ id: versionId, algorithm_id: algorithmId }, example, by);
  }
}
