import { problem } from '../../core/index.ts';

export const CodeHostNotConfigured = problem({
  code: 'code_host_not_configured',
  status: 503,
  title: 'No code-hosting server is configured',
  says: 'An administrator must set the address and the access token of the server first (`POST /repohost/config`).',
});

export const CodeHostFailed = problem({
  code: 'code_host_failed',
  status: 502,
  title: 'The code-hosting server failed',
  says: 'The server cannot be reached, refused the request or gave an answer that cannot be used. The sentence says which.',
});

export const CodeHostTokenRefused = problem({
  code: 'code_host_token_refused',
  status: 502,
  title: 'The code-hosting server refused the access token',
  says: 'The configured token is unknown there, or lacks a scope or a right. The sentence says what is missing.',
});

export const CodeHostTimeout = problem({
  code: 'code_host_timeout',
  status: 504,
  title: 'The code-hosting server did not answer in time',
  says: 'The server took longer than `repohost.timeout_ms`. What was asked may still happen there.',
});

export const HostedRepositoryExists = problem({
  code: 'hosted_repository_exists',
  status: 409,
  title: 'The repository exists already',
  says: 'The algorithm has a repository on the server already, or another one there has the same name.',
});

export const HostedRepositoryNotFound = problem({
  code: 'hosted_repository_not_found',
  status: 404,
  title: 'No hosted repository',
  says: 'The algorithm has no repository on the code-hosting server, or it was deleted there.',
});

export const repohostProblems = [
  CodeHostNotConfigured,
  CodeHostFailed,
  CodeHostTokenRefused,
  CodeHostTimeout,
  HostedRepositoryExists,
  HostedRepositoryNotFound,
];

/** What every operation that asks the server may answer. */
export const serverProblems = [CodeHostNotConfigured, CodeHostFailed, CodeHostTokenRefused, CodeHostTimeout];
