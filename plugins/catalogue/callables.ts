import { Remembered, type Signals } from '../../core/index.ts';
import {
  ALGORITHM_CHANGED_TOPIC,
  VersionNotFound,
  type AlgorithmVersion,
  type CallableVersion,
  type SchemaValidator,
} from './contract.ts';
import type { CostlyVersions } from './costly-versions.ts';
import { completing } from './parameters/complete.ts';
import type { AlgorithmWithVersion, CatalogueReader } from './reader.ts';

/** Versions ready to be called, remembered until their algorithm changes. */
export class Callables {
  readonly #reader: CatalogueReader;
  readonly #validator: SchemaValidator;
  readonly #costly: CostlyVersions;
  readonly #memory: Remembered<CallableVersion>;

  constructor(deps: {
    reader: CatalogueReader;
    validator: SchemaValidator;
    costly: CostlyVersions;
    signals: Signals;
    limit: number;
  }) {
    this.#reader = deps.reader;
    this.#validator = deps.validator;
    this.#costly = deps.costly;
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
    const checkFor = (schema: AlgorithmVersion['input_schema']) =>
      this.#costly.watched(this.#validator.checkFor(schema), version);
    return {
      algorithm,
      version,
      checkInput: checkFor(version.input_schema),
      checkOutput: checkFor(version.output_schema),
      completeParams: completing(version.params),
    };
  }
}
