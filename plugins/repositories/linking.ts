import { token } from '../../core/index.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import type { Repository } from './contract.ts';
import type { Entries } from './entries.ts';
import type { RepositoryChanges } from './schemas.ts';

/** Changes entries; one can be linked only to an algorithm that exists, where there is a catalogue to ask. */
export class Linking {
  readonly #entries: Entries;
  readonly #catalogue: Catalogue | undefined;

  constructor({ entries, catalogue }: { entries: Entries; catalogue: Catalogue | undefined }) {
    this.#entries = entries;
    this.#catalogue = catalogue;
  }

  /** Throws `RepositoryNotFound`, `RepositoryHosted` and `AlgorithmNotFound`. */
  async update(id: string, changes: RepositoryChanges): Promise<Repository> {
    const { algorithm_id } = await this.#entries.get(id);
    const linked = changes.algorithm_id;
    if (linked && linked !== algorithm_id) await this.#catalogue?.algorithm(linked);
    return this.#entries.update(id, changes);
  }
}

export const LINKING = token<Linking>('repositories:linking');
