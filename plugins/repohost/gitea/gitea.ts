import { CodeHostFailed, type HostedAt } from '../../repositories/contract.ts';
import {
  readFound,
  readObject,
  readRepository,
  readText,
  type FoundRepository,
  type GiteaRepository,
} from './answers.ts';
import type { GiteaApi } from './api.ts';
import { idIn, isSame } from './identity.ts';

/** The fields of a new repository. */
export interface NewGiteaRepository {
  readonly name: string;
  readonly description: string;
  readonly private: boolean;
  readonly default_branch: string;
}

/** Who is to own a new repository: the token's user, or an organisation. */
export interface NewOwner {
  readonly name: string;
  readonly isOrganisation: boolean;
}

/** The operations of Gitea's API that are used here; Forgejo speaks the same. */
export class Gitea {
  readonly #api: GiteaApi;

  constructor(api: GiteaApi) {
    this.#api = api;
  }

  async version(): Promise<string> {
    const { body } = await this.#api.ask({ method: 'GET', path: '/version', expects: [200] });
    return readText(readObject(body, 'its version'), 'version', 'its version');
  }

  /** The name of the token's user. */
  async login(): Promise<string> {
    const { body } = await this.#api.ask({ method: 'GET', path: '/user', expects: [200] });
    return readText(readObject(body, 'a user'), 'login', 'a user');
  }

  /** Whether there is such an organisation that the token may see. */
  async hasOrganisation(name: string): Promise<boolean> {
    const path = `/orgs/${encodeURIComponent(name)}`;
    return (await this.#api.ask({ method: 'GET', path, expects: [200, 404] })).status === 200;
  }

  /**
   * Makes a repository with a README as its first commit, for the token's user or for an organisation. `exists` when
   * the name is taken, `no-organisation` when the user sees none of that name.
   */
  async create(
    repository: NewGiteaRepository,
    { name: owner, isOrganisation }: NewOwner,
  ): Promise<GiteaRepository | 'exists' | 'no-organisation'> {
    const path = isOrganisation ? `/orgs/${encodeURIComponent(owner)}/repos` : '/user/repos';
    const body = { ...repository, auto_init: true };
    const expects = isOrganisation ? [201, 404, 409] : [201, 409];
    const answer = await this.#api.ask({ method: 'POST', path, body, expects });
    if (answer.status === 409) return 'exists';
    if (answer.status === 404) return 'no-organisation';
    return this.#described(`${owner}/${repository.name}`, answer.body);
  }

  /** The repository that was found or made before, wherever it is now; `undefined` when it is gone. */
  async find({ fullName, identity }: HostedAt): Promise<FoundRepository | undefined> {
    for (const path of [repositoryPath(fullName), `/repositories/${encodeURIComponent(idIn(identity))}`]) {
      const { status, body } = await this.#api.ask({ method: 'GET', path, expects: [200, 404] });
      const found = status === 200 ? readFound(body) : undefined;
      if (found && isSame(found.identity, identity)) return found;
    }
    return undefined;
  }

  /** False when there is no such repository. */
  async edit(fullName: string, changes: { description?: string; private?: boolean }): Promise<boolean> {
    const path = repositoryPath(fullName);
    const answer = await this.#api.ask({ method: 'PATCH', path, body: changes, expects: [200, 404] });
    return answer.status === 200;
  }

  /** False when there was no such repository. */
  async remove(fullName: string): Promise<boolean> {
    const path = repositoryPath(fullName);
    return (await this.#api.ask({ method: 'DELETE', path, expects: [204, 404] })).status === 204;
  }

  /**
   * A new repository as the server describes it: asked again where the first description cannot be used. When neither can,
   * the repository is deleted again, since it would be in the way of the next attempt.
   */
  async #described(fullName: string, body: Buffer): Promise<GiteaRepository> {
    try {
      return readRepository(body);
    } catch (error) {
      if (!CodeHostFailed.is(error)) throw error;
      return (await this.#describedAgain(fullName)) ?? this.#withdraw(fullName, error.message);
    }
  }

  async #describedAgain(fullName: string): Promise<GiteaRepository | undefined> {
    try {
      const path = repositoryPath(fullName);
      const made = readRepository((await this.#api.ask({ method: 'GET', path, expects: [200] })).body);
      return made.full_name.toLowerCase() === fullName.toLowerCase() ? made : undefined;
    } catch {
      return undefined;
    }
  }

  async #withdraw(fullName: string, why: string): Promise<never> {
    const isDeleted = await this.remove(fullName).catch(() => undefined);
    if (isDeleted === false) throw CodeHostFailed(why);
    throw CodeHostFailed(
      isDeleted
        ? `${why} The new repository ${fullName} was deleted there again.`
        : `${why} The new repository ${fullName} could not be deleted again: delete it there before the next attempt.`,
    );
  }
}

function repositoryPath(fullName: string): string {
  return `/repos/${fullName.split('/').map(encodeURIComponent).join('/')}`;
}
