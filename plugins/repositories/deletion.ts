import { token, type Author } from '../../core/index.ts';
import type { CodeHost } from './contract.ts';
import type { Entries } from './entries.ts';
import { CodeHostAway } from './problems.ts';

/** Deletes entries, and what they stand for on a code-hosting server. */
export class Deletion {
  readonly #entries: Entries;
  readonly #hosts: readonly CodeHost[];

  constructor({ entries, hosts }: { entries: Entries; hosts: readonly CodeHost[] }) {
    this.#entries = entries;
    this.#hosts = hosts;
  }

  /**
   * True when the repository on the server was deleted too. It goes first: when the server fails, the entry stays and
   * the deletion can be tried again.
   */
  async remove(id: string, hosted: 'delete' | 'keep', by: Author): Promise<boolean> {
    const deletedThere = hosted === 'delete' && (await this.#removeThere(id));
    await this.#entries.remove(id, by);
    return deletedThere;
  }

  async #removeThere(id: string): Promise<boolean> {
    const hosted = await this.#entries.hostedAt(id);
    if (!hosted) return false;
    const host = this.#hosts.find(({ name }) => name === hosted.host);
    if (host) return host.remove(hosted);
    throw CodeHostAway(
      `The repository lives on a ${hosted.host} server as ${hosted.fullName}, and the plugin for it is switched off. Nothing was deleted. Switch the plugin on, or delete the entry alone with hosted=keep.`,
    );
  }
}

export const DELETION = token<Deletion>('repositories:deletion');
