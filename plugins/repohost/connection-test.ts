import { token } from '../../core/index.ts';
import { CodeHostFailed } from '../repositories/contract.ts';
import type { Connections } from './connections.ts';
import { unknownOwner, ownerOfNew } from './owner.ts';
import type { ConnectionAnswer } from './schemas.ts';

/** Asks the configured server who it is and whose token we have; changes nothing there. */
export class ConnectionTest {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Throws what the server fails with. */
  async run(): Promise<ConnectionAnswer> {
    const { server, gitea } = await this.#connections.open();
    const version = await gitea.version();
    const owner = await ownerOfNew(server, gitea);
    if (owner.isOrganisation && !(await gitea.hasOrganisation(owner.name)))
      throw CodeHostFailed(unknownOwner(owner));
    const message = `The server is there (version ${version}) and knows the token as ${owner.login}. New repositories will belong to ${owner.name}.`;
    return { success: true, message, version, login: owner.login, owner: owner.name };
  }
}

export const CONNECTION_TEST = token<ConnectionTest>('repohost:connection-test');
