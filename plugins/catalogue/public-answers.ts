import { createHash } from 'node:crypto';
import { Remembered, replyBytes, type Reply, type Signals } from '../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, type AlgorithmVersion } from './contract.ts';
import { algorithmAnswer, versionAnswer } from './answers.ts';
import type { CatalogueReader } from './reader.ts';
import type { AlgorithmFilter } from './schemas.ts';

const LISTS = 'lists';
/** Bytes that an entry takes beside its text. */
const OVERHEAD = 500;

interface Remembrance {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a handler knows of who asks. */
interface Asking {
  readonly ifNoneMatch: string | undefined;
}

function remembrance(answer: unknown): Remembrance {
  const bytes = Buffer.from(JSON.stringify(answer));
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  return { bytes, headers: { ETag: etag, 'Cache-Control': 'no-cache' } };
}

function matches(ifNoneMatch: string, etag: string): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

function replyTo({ ifNoneMatch }: Asking, { bytes, headers }: Remembrance): Reply<never> {
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, headers['ETag']!)) {
    return replyBytes('', { status: 304, headers });
  }
  return replyBytes(bytes, { headers });
}

/** The public reads, which are the same for everybody: serialised once, and forgotten when an algorithm changes. */
export class PublicAnswers {
  readonly #reader: CatalogueReader;
  readonly #memory: Remembered<Remembrance>;

  constructor(deps: { reader: CatalogueReader; signals: Signals; limitBytes: number }) {
    this.#reader = deps.reader;
    this.#memory = new Remembered({
      limit: deps.limitBytes,
      weigh: ({ bytes }) => bytes.length + OVERHEAD,
    });
    deps.signals.subscribe(ALGORITHM_CHANGED_TOPIC, (algorithmId) => {
      this.#memory.forget(algorithmId);
      this.#memory.forget(LISTS);
    });
  }

  list(filter: AlgorithmFilter, asking: Asking): Reply<never> | Promise<Reply<never>> {
    const { type, status, q, sort, skip, limit } = filter;
    return this.#answer(JSON.stringify([type, status, q, sort, skip, limit]), LISTS, asking, async () => {
      const { algorithms, total } = await this.#reader.list(filter);
      return { algorithms: algorithms.map((algorithm) => algorithmAnswer(algorithm, [])), total };
    });
  }

  algorithm(id: string, asking: Asking): Reply<never> | Promise<Reply<never>> {
    return this.#answer(id, id, asking, async () => {
      const { algorithm, versions } = await this.#reader.algorithmAndVersions(id);
      return algorithmAnswer(algorithm, versions);
    });
  }

  versions(algorithmId: string, asking: Asking): Reply<never> | Promise<Reply<never>> {
    return this.#answer(`${algorithmId} versions`, algorithmId, asking, async () => {
      const { versions } = await this.#reader.algorithmAndVersions(algorithmId);
      return versions.map((version: AlgorithmVersion) => versionAnswer(version));
    });
  }

  version(algorithmId: string, versionId: string, asking: Asking): Reply<never> | Promise<Reply<never>> {
    return this.#answer(`${algorithmId} ${versionId}`, algorithmId, asking, async () => {
      const { version } = await this.#reader.version(algorithmId, versionId);
      return versionAnswer(version);
    });
  }

  #answer(
    key: string,
    group: string,
    asking: Asking,
    make: () => Promise<unknown>,
  ): Reply<never> | Promise<Reply<never>> {
    const found = this.#memory.get(key, group, async () => remembrance(await make()));
    return found instanceof Promise ? found.then((made) => replyTo(asking, made)) : replyTo(asking, found);
  }
}
