import { token, type UserPrincipal } from '../../core/index.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import type { Repository } from './contract.ts';
import { notFound, type Entries } from './entries.ts';
import type { RepositoriesFilter } from './schemas.ts';

/**
 * The entries as a caller sees them: without those of private algorithms that the caller may not see, because the name and
 * the address of a repository tell of its algorithm.
 */
export class VisibleEntries {
  readonly #entries: Entries;
  readonly #catalogue: Catalogue | undefined;

  constructor({ entries, catalogue }: { entries: Entries; catalogue: Catalogue | undefined }) {
    this.#entries = entries;
    this.#catalogue = catalogue;
  }

  async list(
    viewer: UserPrincipal,
    filter: RepositoriesFilter,
  ): Promise<{ repositories: Repository[]; total: number }> {
    return this.#entries.list(filter, await this.#hiddenFrom(viewer));
  }

  /** Throws `RepositoryNotFound`. */
  async get(viewer: UserPrincipal, id: string): Promise<Repository> {
    const [repository, hidden] = await Promise.all([this.#entries.get(id), this.#hiddenFrom(viewer)]);
    const { algorithm_id } = repository;
    return algorithm_id !== null && hidden.includes(algorithm_id) ? notFound(id) : repository;
  }

  async #hiddenFrom(viewer: UserPrincipal): Promise<readonly string[]> {
    return (await this.#catalogue?.hiddenFrom(viewer)) ?? [];
  }
}

export const VISIBLE_ENTRIES = token<VisibleEntries>('repositories:visible-entries');
