import { token, type Invalidation } from '../../core/index.ts';
import {
  ALGORITHM_CHANGED_TOPIC,
  type CallableVersion,
  type MarkTooCostly,
  type SchemaValidator,
} from './contract.ts';
import { completing } from './parameters/complete.ts';
import type { AlgorithmWithVersion, CatalogueReader } from './reader.ts';
import { isOfObjects } from './schema/root-types.ts';
import type { Versions } from './versions.ts';

export const CALLABLES = token<Callables>('catalogue:callables');

const MAX_VERSIONS = 2_000;

/** Prepares versions for calls, and caches them until any algorithm changes, which is rare. */
export class Callables {
  readonly #reader: CatalogueReader;
  readonly #validator: SchemaValidator;
  readonly #versions: Versions;
  readonly #cache;

  constructor(deps: {
    reader: CatalogueReader;
    validator: SchemaValidator;
    versions: Versions;
    invalidation: Invalidation;
  }) {
    this.#reader = deps.reader;
    this.#validator = deps.validator;
    this.#versions = deps.versions;
    this.#cache = deps.invalidation.cache<CallableVersion>({
      topics: [ALGORITHM_CHANGED_TOPIC],
      drops: 'all',
      maxSize: MAX_VERSIONS,
    });
  }

  /** A version, without a promise when it is cached. Throws `AlgorithmNotFound` or `VersionNotFound`. */
  callable(algorithmId: string, versionId: string): CallableVersion | Promise<CallableVersion> {
    return this.#cache.get(`${algorithmId} ${versionId}`, () => this.fresh(algorithmId, versionId));
  }

  /** The default version, without a promise when it is cached. Throws `AlgorithmNotFound` or `VersionNotFound`. */
  defaultCallable(algorithmId: string): CallableVersion | Promise<CallableVersion> {
    return this.#cache.get(algorithmId, async () =>
      this.#readied(await this.#reader.defaultVersion(algorithmId)),
    );
  }

  /** A version as it is stored now, on whatever instance it was changed. Throws `AlgorithmNotFound` or `VersionNotFound`. */
  async fresh(algorithmId: string, versionId: string): Promise<CallableVersion> {
    return this.#readied(await this.#reader.version(algorithmId, versionId));
  }

  #readied(read: AlgorithmWithVersion): CallableVersion {
    return prepared(this.#validator, read, (until) => this.#versions.markCostly(read.version, until));
  }
}

/** A version prepared for calls. */
export function prepared(
  validator: SchemaValidator,
  { algorithm, version }: AlgorithmWithVersion,
  tooCostly?: MarkTooCostly,
): CallableVersion {
  return {
    algorithm,
    version,
    checkInput: validator.checkFor(version.input_schema, tooCostly),
    checkOutput: validator.checkFor(version.output_schema, tooCostly),
    checksAnswer: version.output_schema !== null && !isOfObjects(version.output_schema),
    completeParams: completing(version.params),
  };
}
