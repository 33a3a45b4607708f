import {
  replyBytes,
  tagBytes,
  token,
  type Invalidation,
  type Principal,
  type Reply,
} from '../../core/index.ts';
import { algorithmAnswer, exampleAnswer, versionAnswer } from './answers.ts';
import type { CheckMarks } from './check-marks.ts';
import { ALGORITHM_CHANGED_TOPIC, readerOf } from './contract.ts';
import type { Examples } from './examples/examples.ts';
import type { AlgorithmLists } from './lists.ts';
import type { CatalogueReader } from './reader.ts';
import { coveredBy } from './rights.ts';
import type { AlgorithmFilter } from './schemas.ts';
import type { ListedAlgorithms } from './search.ts';
import type { Visibility } from './visibility.ts';

type TaggedBytes = ReturnType<typeof tagBytes>;
type Answer = Reply<never> | Promise<Reply<never>>;

/** Bytes that an entry takes in addition to its key and its text. */
const OVERHEAD = 500;

/**
 * Answers of public reads: serialised once, cached until an algorithm changes. Who sees the algorithm is asked each time,
 * before the cache; a list is cached for each set of private algorithms in it, which is empty for most viewers.
 */
export class PublicAnswers {
  readonly #reader: CatalogueReader;
  readonly #examples: Examples;
  readonly #lists: AlgorithmLists;
  readonly #marks: CheckMarks;
  readonly #visibility: Visibility;
  readonly #cache;

  constructor(deps: {
    reader: CatalogueReader;
    examples: Examples;
    lists: AlgorithmLists;
    marks: CheckMarks;
    visibility: Visibility;
    invalidation: Invalidation;
    limitBytes: number;
  }) {
    this.#reader = deps.reader;
    this.#examples = deps.examples;
    this.#lists = deps.lists;
    this.#marks = deps.marks;
    this.#visibility = deps.visibility;
    this.#cache = deps.invalidation.cache<TaggedBytes>({
      topics: [ALGORITHM_CHANGED_TOPIC],
      drops: 'all',
      maxSize: deps.limitBytes,
      sizeOf: ({ bytes }, key) => bytes.length + key.length + OVERHEAD,
    });
  }

  list(filter: AlgorithmFilter, viewer: Principal): Answer {
    const listed = this.#visibility.listedFor(readerOf(viewer), coveredBy(viewer));
    if (!(listed instanceof Promise)) return this.#list(filter, listed);
    return listed.then((ids) => this.#list(filter, ids));
  }

  algorithm(id: string, viewer: Principal): Answer {
    return this.#ifVisible(id, viewer, `algorithm ${id}`, async () =>
      this.#marks.onAlgorithm(algorithmAnswer(await this.#reader.algorithmAndVersions(id))),
    );
  }

  versions(algorithmId: string, viewer: Principal): Answer {
    return this.#ifVisible(algorithmId, viewer, `versions ${algorithmId}`, async () => {
      const { versions } = await this.#reader.algorithmAndVersions(algorithmId);
      return this.#marks.onVersions(versions.map((version) => versionAnswer(version)));
    });
  }

  version(algorithmId: string, versionId: string, viewer: Principal): Answer {
    return this.#ifVisible(algorithmId, viewer, `version ${algorithmId} ${versionId}`, async () => {
      const { version } = await this.#reader.version(algorithmId, versionId);
      return this.#marks.onVersion(versionAnswer(version));
    });
  }

  examples(algorithmId: string, versionId: string, viewer: Principal): Answer {
    return this.#ifVisible(algorithmId, viewer, `examples ${algorithmId} ${versionId}`, async () => {
      const { version } = await this.#reader.version(algorithmId, versionId);
      return (await this.#examples.list(version.id)).map(exampleAnswer);
    });
  }

  example(algorithmId: string, versionId: string, id: string, viewer: Principal): Answer {
    return this.#ifVisible(algorithmId, viewer, `example ${algorithmId} ${versionId} ${id}`, async () => {
      const { version } = await this.#reader.version(algorithmId, versionId);
      return exampleAnswer(await this.#examples.find(version.id, id));
    });
  }

  #list(filter: AlgorithmFilter, listed: ListedAlgorithms): Answer {
    const { type, status, check, tags, q, sort, facets, skip, limit } = filter;
    // Figures of calls change all the time.
    if (this.#lists.hasCalls(filter))
      return this.#lists.read(filter, listed).then((list) => replyBytes(tagged(list)));
    const page = `${status} ${sort} ${skip} ${limit}`;
    const isPlain = !(type || check || tags || q || facets) && Array.isArray(listed) && listed.length === 0;
    return this.#answer(isPlain ? page : JSON.stringify([page, type, check, tags, q, facets, listed]), () =>
      this.#lists.read(filter, listed),
    );
  }

  /**
   * Throws `AlgorithmNotFound` to viewers who may not see the algorithm, `AlgorithmNotCovered` to keys for others. The key
   * begins with the kind of the answer: what stands for an id in a path may be any text, such as `versions`.
   */
  #ifVisible(algorithmId: string, viewer: Principal, key: string, make: () => Promise<unknown>): Answer {
    const seen = this.#visibility.algorithm(algorithmId, readerOf(viewer), coveredBy(viewer));
    return seen instanceof Promise ? seen.then(() => this.#answer(key, make)) : this.#answer(key, make);
  }

  #answer(key: string, make: () => Promise<unknown>): Answer {
    const found = this.#cache.get(key, async () => tagged(await make()));
    return found instanceof Promise ? found.then((made) => replyBytes(made)) : replyBytes(found);
  }
}

function tagged(answer: unknown): TaggedBytes {
  const total = Array.isArray(answer) ? answer.length : (answer as { total?: number }).total;
  return tagBytes(JSON.stringify(answer), { total });
}

export const PUBLIC_ANSWERS = token<PublicAnswers>('catalogue:public-answers');
