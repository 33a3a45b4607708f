import type { CodeHost, HostedAt } from '../repositories/contract.ts';
import type { Connections } from './connections.ts';

/** The name of this code host among those that may be there. */
export const GITEA = 'gitea';

/** Deletes on the server what is deleted from the list of repositories. */
export class GiteaHost implements CodeHost {
  readonly name = GITEA;
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async remove(hosted: HostedAt): Promise<boolean> {
    const { gitea } = await this.#connections.openFor(hosted);
    const found = await gitea.find(hosted);
    return found !== undefined && gitea.remove(found.fullName);
  }
}
