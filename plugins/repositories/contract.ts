import { extensionPoint, problem, token, type Author } from '../../core/index.ts';

/** `archived`: kept for the record. */
export type RepositoryStatus = 'active' | 'archived';

/** A repository as the API shows it. */
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
  /** How the code-hosting server names it where it was made there. */
  readonly host_full_name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Where a hosted repository lives on its code-hosting server. */
export interface HostedAt {
  /** The code host's name: `gitea`. */
  readonly host: string;
  /** The server's address when it was made there: another server may have a repository of the same name. */
  readonly server: string;
  /** As the host names it: `owner/name`. It may be renamed there, and another one take its name. */
  readonly fullName: string;
  /** Identifies the repository on its host, also after it was renamed. */
  readonly identity: string;
}

/** What became of a hosted repository on its server; what is not named stays. */
export interface HostedUpdate {
  readonly description?: string;
  readonly repo_url?: string;
  readonly fullName?: string;
}

/** A repository that was made on a code-hosting server, to be entered here. */
export interface HostedRepository {
  readonly name: string;
  readonly description: string;
  readonly repo_url: string;
  readonly branch: string;
  readonly algorithm_id: string;
  readonly hosted: HostedAt;
}

/** The entries, for plugins that host code. `by` is the author in the audit trail. */
export interface Repositories {
  /** Throws `AlgorithmNotFound` when the algorithm went meanwhile, where there is a catalogue to ask. */
  createHosted(repository: HostedRepository, by: Author): Promise<Repository>;
  /** The hosted entry of an algorithm on a host; the newest where there are several. */
  findHosted(
    host: string,
    algorithmId: string,
  ): Promise<{ repository: Repository; hosted: HostedAt } | undefined>;
  updateHosted(id: string, changes: HostedUpdate, by: Author): Promise<void>;
}

export const REPOSITORIES = token<Repositories>('repositories:repositories');

export const CodeHostNotConfigured = problem({
  code: 'code_host_not_configured',
  status: 503,
  title: 'No code-hosting server is configured',
  description:
    'An administrator must set the address and the access token of the server first (`POST /repohost/config`).',
});

export const CodeHostFailed = problem({
  code: 'code_host_failed',
  status: 502,
  title: 'The code-hosting server failed',
  description:
    'The server cannot be reached, refused the request or gave an answer that cannot be used. The sentence says which.',
});

export const CodeHostTokenRefused = problem({
  code: 'code_host_token_refused',
  status: 502,
  title: 'The code-hosting server refused the access token',
  description:
    'The configured token is unknown there, or lacks a scope or a right. The sentence says what is missing.',
});

export const CodeHostTimeout = problem({
  code: 'code_host_timeout',
  status: 504,
  title: 'The code-hosting server did not answer in time',
  description: 'The server took too long. What was asked may still happen there.',
});

/** How a code host fails, and so every operation that asks it. */
export const codeHostProblems = [
  CodeHostNotConfigured,
  CodeHostFailed,
  CodeHostTokenRefused,
  CodeHostTimeout,
];

/** A code-hosting server that can delete what it hosts. */
export interface CodeHost {
  readonly name: string;
  /**
   * True when the repository was deleted there; false when it was gone already, even if another one has its name. Throws
   * one of `codeHostProblems`.
   */
  remove(hosted: HostedAt): Promise<boolean>;
}

/** Filled by `repohost`; deleting an entry deletes it there too. */
export const CODE_HOSTS = extensionPoint<CodeHost>('repositories:code-hosts', { methods: ['remove'] });
