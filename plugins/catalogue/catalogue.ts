import type { Algorithms } from './algorithms.ts';
import type { Callables } from './callables.ts';
import type {
  Algorithm,
  AlgorithmVersion,
  CallableVersion,
  Catalogue,
  NewAlgorithm,
  NewVersion,
} from './contract.ts';
import type { CatalogueReader } from './reader.ts';
import type { Versions } from './versions.ts';

/** The catalogue as other plugins see it. */
export class CatalogueForPlugins implements Catalogue {
  readonly #reader: CatalogueReader;
  readonly #algorithms: Algorithms;
  readonly #versions: Versions;
  readonly #callables: Callables;

  constructor(deps: {
    reader: CatalogueReader;
    algorithms: Algorithms;
    versions: Versions;
    callables: Callables;
  }) {
    this.#reader = deps.reader;
    this.#algorithms = deps.algorithms;
    this.#versions = deps.versions;
    this.#callables = deps.callables;
  }

  algorithm(id: string): Promise<Algorithm> {
    return this.#reader.algorithm(id);
  }

  async version(algorithmId: string, versionId: string): Promise<AlgorithmVersion> {
    return (await this.#reader.version(algorithmId, versionId)).version;
  }

  callable(algorithmId: string, versionId: string): CallableVersion | Promise<CallableVersion> {
    return this.#callables.callable(algorithmId, versionId);
  }

  defaultCallable(algorithmId: string): CallableVersion | Promise<CallableVersion> {
    return this.#callables.defaultCallable(algorithmId);
  }

  callableByVersion(versionId: string): Promise<CallableVersion> {
    return this.#callables.callableByVersion(versionId);
  }

  count(): Promise<number> {
    return this.#reader.count();
  }

  create(algorithm: NewAlgorithm): Promise<Algorithm> {
    return this.#algorithms.create(algorithm);
  }

  createVersion(algorithmId: string, version: NewVersion): Promise<AlgorithmVersion> {
    return this.#versions.create(algorithmId, version);
  }
}
