import { LRUCache } from 'lru-cache';
import {
  replyTagged,
  tagBytes,
  token,
  type Reply,
  type RequestInfo,
  type Signals,
  type TaggedBytes,
} from '../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, type AlgorithmVersion } from './contract.ts';
import { algorithmAnswer, versionAnswer } from './answers.ts';
import type { CatalogueReader } from './reader.ts';
import type { AlgorithmFilter } from './schemas.ts';

/** Bytes that an entry takes beside its text. */
const OVERHEAD = 500;

/** What of a request makes a difference: which answer the client has already. */
type Asking = Pick<RequestInfo, 'header'>;

/** The public reads, which are the same for everybody: serialised once, and cached until an algorithm changes. */
export class PublicAnswers {
  readonly #reader: CatalogueReader;
  readonly #cache: LRUCache<string, TaggedBytes, () => Promise<unknown>>;

  constructor(deps: { reader: CatalogueReader; signals: Signals; limitBytes: number }) {
    this.#reader = deps.reader;
    this.#cache = new LRUCache<string, TaggedBytes, () => Promise<unknown>>({
      maxSize: deps.limitBytes,
      sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD,
      fetchMethod: async (_key, _stale, { context: make }) => tagBytes(JSON.stringify(await make())),
      // A change during a read ends only the caching of its result; the request that waits for it still gets it.
      ignoreFetchAbort: true,
    });
    deps.signals.subscribe(ALGORITHM_CHANGED_TOPIC, () => this.#cache.clear());
  }

  list(filter: AlgorithmFilter, asking: Asking): Reply<never> | Promise<Reply<never>> {
    const { type, status, q, sort, skip, limit } = filter;
    const page = `${status} ${sort} ${skip} ${limit}`;
    const key = type === undefined && q === undefined ? page : JSON.stringify([page, type, q]);
    return this.#answer(key, asking, async () => {
      const { algorithms, total } = await this.#reader.list(filter);
      return { algorithms: algorithms.map((algorithm) => algorithmAnswer(algorithm, [])), total };
    });
  }

  algorithm(id: string, asking: Asking): Reply<never> | Promise<Reply<never>> {
    return this.#answer(id, asking, async () => {
      const { algorithm, versions } = await this.#reader.algorithmAndVersions(id);
      return algorithmAnswer(algorithm, versions);
    });
  }

  versions(algorithmId: string, asking: Asking): Reply<never> | Promise<Reply<never>> {
    return this.#answer(`${algorithmId} versions`, asking, async () => {
      const { versions } = await this.#reader.algorithmAndVersions(algorithmId);
      return versions.map((version: AlgorithmVersion) => versionAnswer(version));
    });
  }

  version(algorithmId: string, versionId: string, asking: Asking): Reply<never> | Promise<Reply<never>> {
    return this.#answer(`${algorithmId} ${versionId}`, asking, async () => {
      const { version } = await this.#reader.version(algorithmId, versionId);
      return versionAnswer(version);
    });
  }

  #answer(key: string, asking: Asking, make: () => Promise<unknown>): Reply<never> | Promise<Reply<never>> {
    const found = this.#cache.get(key) ?? this.#cache.forceFetch(key, { context: make });
    return found instanceof Promise
      ? found.then((made) => replyTagged(asking, made))
      : replyTagged(asking, found);
  }
}

export const PUBLIC_ANSWERS = token<PublicAnswers>('catalogue:public-answers');
