import { token, type Author } from '../../core/index.ts';
import { undoIfAlgorithmWent, type Catalogue } from '../catalogue/contract.ts';
import type { HostedRepository, Repository } from './contract.ts';
import type { Entries } from './entries.ts';
import type { RepositoryChanges } from './schemas.ts';

/** Links entries to algorithms: only to those that exist, where there is a catalogue to ask. */
export class Linking {
  readonly #entries: Entries;
  readonly #catalogue: Catalogue | undefined;

  constructor({ entries, catalogue }: { entries: Entries; catalogue: Catalogue | undefined }) {
    this.#entries = entries;
    this.#catalogue = catalogue;
  }

  /** Throws `RepositoryNotFound`, `RepositoryHosted` and `AlgorithmNotFound`. */
  async update(id: string, changes: RepositoryChanges, by: Author): Promise<Repository> {
    const { algorithm_id } = await this.#entries.get(id);
    const linked = changes.algorithm_id === algorithm_id ? null : changes.algorithm_id;
    if (linked) await this.#catalogue?.algorithm(linked);
    const updated = await this.#entries.update(id, changes, by);
    if (linked) await this.#undoIfWent(linked, () => this.#entries.unlink(linked));
    return updated;
  }

  /** Throws `AlgorithmNotFound` when the algorithm went meanwhile; there is no entry then. */
  async createHosted(hosted: HostedRepository, by: Author): Promise<Repository> {
    const entry = await this.#entries.createHosted(hosted, by);
    await this.#undoIfWent(hosted.algorithm_id, () => this.#entries.remove(entry.id, by));
    return entry;
  }

  async #undoIfWent(algorithmId: string, undo: () => Promise<void>): Promise<void> {
    if (this.#catalogue) await undoIfAlgorithmWent(this.#catalogue, algorithmId, undo);
  }
}

export const LINKING = token<Linking>('repositories:linking');
