import { token, ValidationFailed, type Audit, type Author, type Logger } from '../../core/index.ts';
import type { Catalogue } from '../catalogue/contract.ts';
import { CodeHostFailed, type HostedRepository, type Repositories } from '../repositories/contract.ts';
import type { RepohostSettings } from './config.ts';
import type { Connection, Connections } from './connections.ts';
import type { GiteaRepository } from './gitea/answers.ts';
import { faultOfName } from './gitea/repository-name.ts';
import { GITEA } from './gitea-host.ts';
import { unknownOwner, ownerOfNew } from './owner.ts';
import { HostedRepositoryExists, HostedRepositoryNotFound } from './problems.ts';
import type { HostedChanges, HostedRepositoryAnswer, NewHostedInput } from './schemas.ts';

interface HostingDeps {
  readonly connections: Connections;
  readonly repositories: Repositories;
  readonly catalogue: Catalogue | undefined;
  readonly settings: RepohostSettings;
  readonly logger: Logger;
  readonly audit: Audit;
}

/** Makes and changes the repositories of algorithms on the configured server. */
export class Hosting {
  readonly #connections: Connections;
  readonly #repositories: Repositories;
  readonly #catalogue: Catalogue | undefined;
  readonly #settings: RepohostSettings;
  readonly #logger: Logger;
  readonly #audit: Audit;

  constructor(deps: HostingDeps) {
    this.#connections = deps.connections;
    this.#repositories = deps.repositories;
    this.#catalogue = deps.catalogue;
    this.#settings = deps.settings;
    this.#logger = deps.logger;
    this.#audit = deps.audit;
  }

  /**
   * Makes the repository and its entry in the list. Throws `AlgorithmNotFound` where there is a catalogue to ask,
   * `HostedRepositoryExists`, `ValidationFailed` for a name that Gitea would refuse, and what the server fails with.
   */
  async create(input: NewHostedInput, by: Author): Promise<HostedRepositoryAnswer> {
    const { algorithm_id, description = '' } = input;
    const algorithm = await this.#catalogue?.algorithm(algorithm_id);
    const connection = await this.#connections.open();
    const name = repositoryName(connection.server.repoPrefix, algorithm_id);
    await this.#refuseSecond(algorithm_id);
    const made = await this.#make(connection, { ...input, name, description });
    const entry = {
      name: input.algorithm_name || (algorithm?.name ?? made.name),
      description,
      repo_url: made.cloneUrl,
      branch: made.defaultBranch,
      algorithm_id,
      hosted: {
        host: GITEA,
        server: connection.server.url,
        fullName: made.full_name,
        identity: made.identity,
      },
    };
    await this.#enter(connection, made, entry, by);
    return made;
  }

  /** Changes what is named, there and in the list. Throws `HostedRepositoryNotFound` and what the server fails with. */
  async update({ algorithm_id, ...changes }: HostedChanges, by: Author): Promise<void> {
    const found = await this.#repositories.findHosted(GITEA, algorithm_id);
    if (!found) {
      throw HostedRepositoryNotFound(
        `The algorithm "${algorithm_id}" has no repository on the code-hosting server. POST /repohost/repos/create makes one.`,
      );
    }
    const { hosted, repository } = found;
    const { gitea } = await this.#connections.openFor(hosted);
    const there = await gitea.find(hosted);
    if (!there || !(await gitea.edit(there.fullName, changes))) {
      throw HostedRepositoryNotFound(
        `The code-hosting server has no longer the repository that was made as ${hosted.fullName}; one that has taken its name is not touched. Delete its entry, ${repository.id}, and create it anew.`,
      );
    }
    // What changed on the server alone, such as its visibility, is in no table here.
    const target = { kind: 'hosted_repository', id: repository.id, name: there.fullName };
    await this.#audit.record(undefined, by, { action: 'hosted_repository.update', target, after: changes });
    const isRenamed = there.fullName !== hosted.fullName;
    if (!isRenamed && changes.description === undefined) return;
    const news = {
      ...(changes.description === undefined ? {} : { description: changes.description }),
      ...(isRenamed
        ? { fullName: there.fullName, ...(there.cloneUrl ? { repo_url: there.cloneUrl } : {}) }
        : {}),
    };
    await this.#repositories.updateHosted(repository.id, news, by);
  }

  /** The fields of a hosted repository that no request changes; none for an algorithm without one. */
  async fixed(algorithmId: string): Promise<{ readonly name?: string; readonly full_name?: string }> {
    const found = await this.#repositories.findHosted(GITEA, algorithmId);
    if (!found) return {};
    const { fullName } = found.hosted;
    return { name: fullName.slice(fullName.indexOf('/') + 1), full_name: fullName };
  }

  async #refuseSecond(algorithmId: string): Promise<void> {
    const found = await this.#repositories.findHosted(GITEA, algorithmId);
    if (!found) return;
    throw HostedRepositoryExists(
      `The algorithm "${algorithmId}" has the repository ${found.hosted.fullName} already. Change it with PATCH /repohost/repos/update.`,
    );
  }

  async #make(
    { server, gitea }: Connection,
    wanted: { name: string; description: string; private?: boolean },
  ): Promise<GiteaRepository> {
    const { name, description, private: isPrivate = this.#settings.create_private } = wanted;
    const owner = await ownerOfNew(server, gitea);
    const made = await gitea.create(
      { name, description, private: isPrivate, default_branch: this.#settings.default_branch },
      owner,
    );
    if (made === 'no-organisation') throw CodeHostFailed(unknownOwner(owner));
    if (made !== 'exists') return made;
    throw HostedRepositoryExists(
      `The code-hosting server has a repository ${owner.name}/${name} already, which is not in the list here. Delete or rename it there.`,
    );
  }

  /** A repository without an entry would be in the way of the next attempt, so it goes when the entry fails. */
  async #enter(
    { gitea }: Connection,
    made: GiteaRepository,
    entry: HostedRepository,
    by: Author,
  ): Promise<void> {
    try {
      await this.#repositories.createHosted(entry, by);
    } catch (error) {
      await gitea.remove(made.full_name).catch((cause: unknown) => {
        this.#logger.error(
          { err: cause, repository: made.full_name },
          'A repository was made on the code-hosting server, and neither its entry could be written nor it be deleted again.',
        );
      });
      throw error;
    }
  }
}

function repositoryName(prefix: string, algorithmId: string): string {
  const name = prefix + algorithmId;
  const fault = faultOfName(name);
  if (fault === undefined) return name;
  const errors = [{ pointer: '/body/algorithm_id', message: `with the configured prefix it ${fault}.` }];
  throw ValidationFailed(`The repository would be named "${name}", which ${fault}.`, { errors });
}

export const HOSTING = token<Hosting>('repohost:hosting');
