import { LRUCache } from 'lru-cache';
import { replyBytes, tagBytes, token, type Reply, type Invalidation } from '../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, type AlgorithmVersion } from './contract.ts';
import { algorithmAnswer, versionAnswer } from './answers.ts';
import type { CatalogueReader } from './reader.ts';
import type { AlgorithmFilter } from './schemas.ts';

type TaggedBytes = ReturnType<typeof tagBytes>;

/** Bytes that an entry takes in addition to its text. */
const OVERHEAD = 500;

/** Answers of public reads, which are the same for all callers: serialised once, cached until an algorithm changes. */
export class PublicAnswers {
  readonly #reader: CatalogueReader;
  readonly #cache: LRUCache<string, TaggedBytes, () => Promise<unknown>>;

  constructor(deps: { reader: CatalogueReader; invalidation: Invalidation; limitBytes: number }) {
    this.#reader = deps.reader;
    this.#cache = new LRUCache<string, TaggedBytes, () => Promise<unknown>>({
      maxSize: deps.limitBytes,
      sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD,
      fetchMethod: async (_key, _stale, { context: make }) => tagged(await make()),
      // An invalidation during a read only keeps its result out of the cache; waiting requests still get the result.
      ignoreFetchAbort: true,
    });
    deps.invalidation.subscribe(ALGORITHM_CHANGED_TOPIC, () => this.#cache.clear());
  }

  list(filter: AlgorithmFilter): Reply<never> | Promise<Reply<never>> {
    const { type, status, q, sort, skip, limit } = filter;
    const page = `${status} ${sort} ${skip} ${limit}`;
    const key = type === undefined && q === undefined ? page : JSON.stringify([page, type, q]);
    return this.#answer(key, async () => {
      const { algorithms, total } = await this.#reader.list(filter);
      return { algorithms: algorithms.map((algorithm) => algorithmAnswer(algorithm, [])), total };
    });
  }

  algorithm(id: string): Reply<never> | Promise<Reply<never>> {
    return this.#answer(id, async () => {
      const { algorithm, versions } = await this.#reader.algorithmAndVersions(id);
      return algorithmAnswer(algorithm, versions);
    });
  }

  versions(algorithmId: string): Reply<never> | Promise<Reply<never>> {
    return this.#answer(`${algorithmId} versions`, async () => {
      const { versions } = await this.#reader.algorithmAndVersions(algorithmId);
      return versions.map((version: AlgorithmVersion) => versionAnswer(version));
    });
  }

  version(algorithmId: string, versionId: string): Reply<never> | Promise<Reply<never>> {
    return this.#answer(`${algorithmId} ${versionId}`, async () => {
      const { version } = await this.#reader.version(algorithmId, versionId);
      return versionAnswer(version);
    });
  }

  #answer(key: string, make: () => Promise<unknown>): Reply<never> | Promise<Reply<never>> {
    const found = this.#cache.get(key) ?? this.#cache.forceFetch(key, { context: make });
    return found instanceof Promise ? found.then((made) => replyBytes(made)) : replyBytes(found);
  }
}

function tagged(answer: unknown): TaggedBytes {
  const total = Array.isArray(answer) ? answer.length : (answer as { total?: number }).total;
  return tagBytes(JSON.stringify(answer), { total });
}

export const PUBLIC_ANSWERS = token<PublicAnswers>('catalogue:public-answers');
