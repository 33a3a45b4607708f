import { token, type Invalidation, type Principal, type UserPrincipal } from '../../core/index.ts';
import {
  ALGORITHM_CHANGED_TOPIC,
  demandCovered,
  type AccessPolicy,
  type Algorithm,
  type AlgorithmRights,
} from './contract.ts';
import { noAlgorithm, type CatalogueReader } from './reader.ts';
import { coveredBy } from './rights.ts';
import type { ListedAlgorithms } from './search.ts';

/** The size of the cache, in characters: about ten thousand algorithms with a paragraph of description. */
const MAX_CHARACTERS = 8_388_608;
/** Characters that an entry takes in addition to its description. */
const ENTRY = 300;
const NONE: readonly string[] = [];

/**
 * Says which algorithms exist for a viewer: private ones only for administrators and for users with a right on them. A
 * credential that is restricted to some algorithms is shown these only.
 * Caches what it read until any algorithm changes, which is rare.
 */
export class Visibility {
  readonly #reader: CatalogueReader;
  readonly #rights: AlgorithmRights;
  readonly #policies: readonly AccessPolicy[];
  readonly #algorithms;
  /** One entry: the ids of all private algorithms. */
  readonly #private;

  constructor(deps: {
    reader: CatalogueReader;
    rights: AlgorithmRights;
    policies: readonly AccessPolicy[];
    invalidation: Invalidation;
  }) {
    this.#reader = deps.reader;
    this.#rights = deps.rights;
    this.#policies = deps.policies;
    const heeded = { topics: [ALGORITHM_CHANGED_TOPIC], drops: 'all' } as const;
    this.#algorithms = deps.invalidation.cache<Algorithm>({
      ...heeded,
      maxSize: MAX_CHARACTERS,
      sizeOf: ({ description }) => description.length + ENTRY,
    });
    this.#private = deps.invalidation.cache<ReadonlySet<string>>({ ...heeded, maxSize: 1 });
  }

  /**
   * Throws the same problem for an algorithm that the viewer may not see and for one that does not exist, and
   * `AlgorithmNotCovered` for one that `covered` lacks, by default what the viewer's credential covers.
   */
  algorithm(id: string, viewer: Principal, covered = coveredBy(viewer)): Algorithm | Promise<Algorithm> {
    if (covered === undefined) return this.#seen(id, viewer);
    // The account is judged first: a key must not tell a private algorithm from one that does not exist.
    const seen = this.#seen(id, unrestricted(viewer));
    const ifCovered = (algorithm: Algorithm): Algorithm => {
      demandCovered(covered, algorithm.id, `algorithm "${algorithm.name}"`);
      return algorithm;
    };
    return seen instanceof Promise ? seen.then(ifCovered) : ifCovered(seen);
  }

  #seen(id: string, viewer: Principal): Algorithm | Promise<Algorithm> {
    return this.#known(id, viewer) ?? this.#judged(id, viewer);
  }

  /** An algorithm that is cached, and that the viewer is known to see. */
  #known(id: string, viewer: Principal): Algorithm | undefined {
    const cached = this.#algorithms.cached(id);
    const mayRead = cached !== undefined && this.#rights.may(viewer, cached, 'read');
    // The read that begins here fills the cache for the next request, which awaits it and reports its failure.
    if (mayRead instanceof Promise) mayRead.catch(() => undefined);
    return mayRead === true ? cached : undefined;
  }

  /** What a list shows. For an anonymous viewer there is no query and no promise. */
  listedFor(viewer: Principal, covered = coveredBy(viewer)): ListedAlgorithms | Promise<ListedAlgorithms> {
    const among = this.#privateFor(viewer);
    if (covered === undefined) return among;
    const ids = [...covered].toSorted();
    return among instanceof Promise
      ? among.then((known) => ({ covered: ids, among: known }))
      : { covered: ids, among };
  }

  #privateFor(viewer: Principal): 'all' | readonly string[] | Promise<readonly string[]> {
    if (viewer.kind === 'anonymous') return NONE;
    if (viewer.role === 'admin') return 'all';
    return this.#policies.length === 0 ? NONE : this.#granted(viewer);
  }

  /** The ids among these whose algorithms exist for the viewer. */
  async among(ids: readonly string[], viewer: Principal): Promise<readonly string[]> {
    return this.#reader.existing(ids, await this.listedFor(viewer));
  }

  async #judged(id: string, viewer: Principal): Promise<Algorithm> {
    // Read also when it is cached: otherwise a private algorithm would be refused faster than an unknown one.
    const algorithm = await this.#algorithms.refresh(id, () => this.#reader.algorithm(id));
    if (await this.#rights.may(viewer, algorithm, 'read')) return algorithm;
    throw noAlgorithm(id);
  }

  /** Sorted, so that users with the same rights share the cached answers. */
  async #granted(viewer: UserPrincipal): Promise<readonly string[]> {
    const granted = new Set<string>();
    for (const policy of this.#policies) for (const id of await policy.algorithmsOf(viewer)) granted.add(id);
    if (granted.size === 0) return NONE;
    const all = await this.#private.get('ids', async () => new Set(await this.#reader.privateIds()));
    return [...granted].filter((id) => all.has(id)).toSorted();
  }
}

function unrestricted(viewer: Principal): Principal {
  return viewer.kind === 'user' ? { ...viewer, resources: undefined } : viewer;
}

export const VISIBILITY = token<Visibility>('catalogue:visibility');
