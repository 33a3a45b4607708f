import { Remembered, type Signals } from '../../core/index.ts';
import {
  ALGORITHM_CHANGED_TOPIC,
  VersionNotFound,
  type CallableVersion,
  type SchemaValidator,
} from './contract.ts';
import { completing } from './parameters/complete.ts';
import type { AlgorithmWithVersion, CatalogueReader } from './reader.ts';
import type { Versions } from './versions.ts';

/** Versions ready to be called, remembered until their algorithm changes. */
export class Callables {
  readonly #reader: CatalogueReader;
  readonly #validator: SchemaValidator;
  readonly #versions: Versions;
  readonly #memory: Remembered<CallableVersion>;

  constructor(deps: {
    reader: CatalogueReader;
    validator: SchemaValidator;
    versions: Versions;
    signals: Signals;
    limit: number;
  }) {
    this.#reader = deps.reader;
    this.#validator = deps.validator;
    this.#versions = deps.versions;
    this.#memory = new Remembered({ limit: deps.limit });
    deps.signals.subscribe(ALGORITHM_CHANGED_TOPIC, (algorithmId) => this.#memory.forget(algorithmId));
  }

  /** At once when remembered. Throws `AlgorithmNotFound` or `VersionNotFound`. */
  callable(algorithmId: string, versionId: string): CallableVersion | Promise<CallableVersion> {
    return this.#memory.get(`${algorithmId} ${versionId}`, algorithmId, async () =>
      this.#readied(await this.#reader.version(algorithmId, versionId)),
    );
  }

  /** At once when remembered. Throws `AlgorithmNotFound` or `VersionNotFound`. */
  defaultCallable(algorithmId: string): CallableVersion | Promise<CallableVersion> {
    return this.#memory.get(algorithmId, algorithmId, async () =>
      this.#readied(await this.#reader.defaultVersion(algorithmId)),
    );
  }

  /** Throws `VersionNotFound`. */
  async callableByVersion(versionId: string): Promise<CallableVersion> {
    const pair = await this.#reader.pair(versionId);
    if (pair === undefined) throw VersionNotFound(`No version has the id "${versionId}".`);
    return await this.callable(pair.algorithm.id, versionId);
  }

  #readied({ algorithm, version }: AlgorithmWithVersion): CallableVersion {
    const tooCostly = () => this.#versions.markCostly(version);
    return {
      algorithm,
      version,
      checkInput: this.#validator.checkFor(version.input_schema, tooCostly),
      checkOutput: this.#validator.checkFor(version.output_schema, tooCostly),
      completeParams: completing(version.params),
    };
  }
}
