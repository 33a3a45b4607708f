import { problem } from '../../core/index.ts';

export const RepositoryNotFound = problem({
  code: 'repository_not_found',
  status: 404,
  title: 'No such repository',
  description: 'No repository has this id, or it was deleted.',
});

export const RepositoryHosted = problem({
  code: 'repository_hosted',
  status: 409,
  title: 'The repository is hosted',
  description:
    'The address and the algorithm of a repository that was made on the code-hosting server stay as they are.',
});

export const CodeHostAway = problem({
  code: 'code_host_away',
  status: 503,
  title: 'No plugin for this code host',
  description:
    'The plugin that made the repository on its server is switched off. Switch it on, or delete the entry alone with `hosted=keep`.',
});
