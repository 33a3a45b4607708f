import { readObject, readRepository, readText, type GiteaRepository } from './answers.ts';
import type { GiteaApi } from './api.ts';

/** The fields of a new repository. */
export interface NewGiteaRepository {
  readonly name: string;
  readonly description: string;
  readonly private: boolean;
  readonly default_branch: string;
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
    organisation: string | undefined,
  ): Promise<GiteaRepository | 'exists' | 'no-organisation'> {
    const path =
      organisation === undefined ? '/user/repos' : `/orgs/${encodeURIComponent(organisation)}/repos`;
    const body = { ...repository, auto_init: true };
    const expects = organisation === undefined ? [201, 409] : [201, 404, 409];
    const answer = await this.#api.ask({ method: 'POST', path, body, expects });
    if (answer.status === 409) return 'exists';
    if (answer.status === 404) return 'no-organisation';
    return readRepository(answer.body);
  }

  /** False when there is no such repository. */
  async edit(fullName: string, changes: { description?: string; private?: boolean }): Promise<boolean> {
    const answer = await this.#api.ask({
      method: 'PATCH',
      path: repositoryPath(fullName),
      body: changes,
      expects: [200, 404],
    });
    if (answer.status === 404) return false;
    readRepository(answer.body);
    return true;
  }

  /** False when there was no such repository. */
  async remove(fullName: string): Promise<boolean> {
    const path = repositoryPath(fullName);
    return (await this.#api.ask({ method: 'DELETE', path, expects: [204, 404] })).status === 204;
  }
}

function repositoryPath(fullName: string): string {
  return `/repos/${fullName.split('/').map(encodeURIComponent).join('/')}`;
}
