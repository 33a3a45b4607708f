import { extensionPoint, token } from '../../core/index.ts';

export type RepositoryStatus = 'active' | 'archived';

export interface Repository {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly repo_url: string;
  readonly branch: string;
  readonly local_path: string;
  readonly algorithm_id: string | null;
  readonly status: RepositoryStatus;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Where a hosted repository lives on its code-hosting server. */
export interface HostedAt {
  /** The code host's name: `gitea`. */
  readonly host: string;
  /** The server's address when it was made there: another server may have a repository of the same name. */
  readonly server: string;
  /** As the host names it: `owner/name`. */
  readonly fullName: string;
}

export interface HostedRepository {
  readonly name: string;
  readonly description: string;
  readonly repo_url: string;
  readonly branch: string;
  readonly algorithm_id: string;
  readonly hosted: HostedAt;
}

/** The entries, for plugins that host code. */
export interface Repositories {
  createHosted(repository: HostedRepository): Promise<Repository>;
  /** The hosted entry of an algorithm on a host; the newest where there are several. */
  findHosted(
    host: string,
    algorithmId: string,
  ): Promise<{ repository: Repository; hosted: HostedAt } | undefined>;
  updateDescription(id: string, description: string): Promise<void>;
}

export const REPOSITORIES = token<Repositories>('repositories:repositories');

/** A code-hosting server that can delete what it hosts. */
export interface CodeHost {
  readonly name: string;
  /** True when the repository was deleted there; false when it was gone already. Throws a 502/503/504 problem. */
  remove(hosted: HostedAt): Promise<boolean>;
}

/** Filled by `repohost`; deleting an entry deletes it there too. */
export const CODE_HOSTS = extensionPoint<CodeHost>('repositories:code-hosts');
