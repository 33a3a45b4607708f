import { problem } from '../../core/index.ts';

export const HostedRepositoryExists = problem({
  code: 'hosted_repository_exists',
  status: 409,
  title: 'The repository exists already',
  description:
    'The algorithm has a repository on the server already, or another one there has the same name.',
});

export const HostedRepositoryNotFound = problem({
  code: 'hosted_repository_not_found',
  status: 404,
  title: 'No hosted repository',
  description: 'The algorithm has no repository on the code-hosting server, or it was deleted there.',
});

export const repohostProblems = [HostedRepositoryExists, HostedRepositoryNotFound];
