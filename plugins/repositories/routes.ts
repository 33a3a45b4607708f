import { authorOf, routesWith } from '../../core/index.ts';
import { AlgorithmNotFound } from '../catalogue/contract.ts';
import { codeHostProblems } from './contract.ts';
import { DELETION } from './deletion.ts';
import { ENTRIES } from './entries.ts';
import { LINKING } from './linking.ts';
import { CodeHostAway, RepositoryHosted, RepositoryNotFound } from './problems.ts';
import {
  ChangedRepositoryAnswer,
  DeletedRepositoryAnswer,
  DeletionQuery,
  NewRepositoryBody,
  OneRepositoryAnswer,
  RepositoriesQuery,
  RepositoryChangesBody,
  RepositoryListAnswer,
} from './schemas.ts';
import { VISIBLE_ENTRIES } from './visible-entries.ts';

const route = routesWith({
  entries: ENTRIES,
  visible: VISIBLE_ENTRIES,
  linking: LINKING,
  deletion: DELETION,
});

const REPOSITORY_PARAMETER = {
  repo_id: { description: 'The `id` of an entry, not that of the repository on its server.' },
};

export const routes = [
  route({
    method: 'GET',
    path: '/repositories',
    operationId: 'listRepositories',
    summary: 'Lists repositories, newest first',
    description:
      'For every signed-in user. All of them, unless `limit` is given; filters hold together. Those of private algorithms ' +
      'that you may not see are left out.',
    access: 'user',
    query: RepositoriesQuery,
    answers: RepositoryListAnswer,
    links: { repo_id: '/repositories/0/id' },
    handle: async ({ principal, query }, { visible }) => ({
      success: true,
      ...(await visible.list(principal, query)),
    }),
  }),
  route({
    method: 'GET',
    path: '/repositories/{repo_id}',
    parameters: REPOSITORY_PARAMETER,
    operationId: 'getRepository',
    summary: 'Shows a repository',
    description:
      'For every signed-in user. One of a private algorithm that you may not see does not exist for you.',
    access: 'user',
    answers: OneRepositoryAnswer,
    problems: [RepositoryNotFound],
    handle: async ({ principal, path }, { visible }) => ({
      success: true,
      repository: await visible.get(principal, path.repo_id),
    }),
  }),
  route({
    method: 'POST',
    path: '/repositories',
    operationId: 'createRepository',
    summary: 'Adds a repository to the list',
    description: 'For administrators. Only the entry is made; nothing is created on a code-hosting server.',
    access: 'admin',
    body: NewRepositoryBody,
    answers: ChangedRepositoryAnswer,
    links: { repo_id: '/repository/id' },
    handle: async (input, { entries }) => {
      const repository = await entries.create(input.body, authorOf(input));
      return { success: true, message: `The repository "${repository.name}" was added.`, repository };
    },
  }),
  route({
    method: 'PUT',
    path: '/repositories/{repo_id}',
    parameters: REPOSITORY_PARAMETER,
    operationId: 'updateRepository',
    summary: 'Changes a repository; omitted fields stay unchanged',
    description:
      'For administrators. An entry that was created on the code-hosting server keeps its address and its ' +
      'algorithm.',
    access: 'admin',
    body: RepositoryChangesBody,
    answers: ChangedRepositoryAnswer,
    problems: [RepositoryNotFound, RepositoryHosted, AlgorithmNotFound],
    fixed: async ({ path }, { entries }) => {
      const { id, host_full_name, created_at } = await entries.get(path.repo_id);
      return { id, host_full_name, created_at };
    },
    handle: async (input, { linking }) => {
      const repository = await linking.update(input.path.repo_id, input.body, authorOf(input));
      return { success: true, message: `The repository "${repository.name}" was changed.`, repository };
    },
  }),
  route({
    method: 'DELETE',
    path: '/repositories/{repo_id}',
    parameters: REPOSITORY_PARAMETER,
    operationId: 'deleteRepository',
    summary: 'Deletes a repository, on its code-hosting server too',
    description:
      'For administrators. `repohost_deleted` says whether a repository on the code-hosting server was ' +
      'deleted as well.',
    access: 'admin',
    query: DeletionQuery,
    answers: DeletedRepositoryAnswer,
    example: { answer: { success: true, message: 'The repository was deleted.', repohost_deleted: false } },
    problems: [RepositoryNotFound, CodeHostAway, ...codeHostProblems],
    handle: async (input, { deletion }) => {
      const { path, query } = input;
      const deletedThere = await deletion.remove(path.repo_id, query.hosted, authorOf(input));
      const where = deletedThere ? ', here and on the code-hosting server' : '';
      return {
        success: true,
        message: `The repository was deleted${where}.`,
        repohost_deleted: deletedThere,
      };
    },
  }),
];
