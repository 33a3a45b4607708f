import { token, type UserPrincipal } from '../../core/index.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import type { Repository } from './contract.ts';
import { notFound, type Entries } from './entries.ts';
import type { RepositoriesFilter } from './schemas.ts';

/**
 * The entries as a caller sees them. One that is linked to an algorithm is seen by those for whom the algorithm exists,
 * because its name and its address tell of the algorithm. Administrators see all of them.
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
    const hidden = viewer.role === 'admin' ? [] : await this.#hidden(viewer, await this.#entries.linkedIds());
    return this.#entries.list(filter, hidden);
  }

  /** Throws `RepositoryNotFound`. */
  async get(viewer: UserPrincipal, id: string): Promise<Repository> {
    const repository = await this.#entries.get(id);
    const { algorithm_id } = repository;
    if (algorithm_id === null || viewer.role === 'admin') return repository;
    const hidden = await this.#hidden(viewer, [algorithm_id]);
    return hidden.length > 0 ? notFound(id) : repository;
  }

  /** Those of the ids whose algorithms do not exist for the viewer. */
  async #hidden(viewer: UserPrincipal, ids: readonly string[]): Promise<readonly string[]> {
    const visible = new Set(await this.#catalogue?.visibleAmong(ids, viewer));
    return ids.filter((id) => !visible.has(id));
  }
}

export const VISIBLE_ENTRIES = token<VisibleEntries>('repositories:visible-entries');
