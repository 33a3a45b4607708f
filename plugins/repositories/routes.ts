import { routesWith } from '../../core/index.ts';
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

const route = routesWith({ entries: ENTRIES, linking: LINKING, deletion: DELETION });

export const routes = [
  route({
    method: 'GET',
    path: '/repositories',
    operationId: 'listRepositories',
    summary: 'Lists repositories, newest first',
    description: 'All of them, unless `limit` is given.',
    access: 'user',
    query: RepositoriesQuery,
    answers: RepositoryListAnswer,
    handle: async ({ query }, { entries }) => ({ success: true, ...(await entries.list(query)) }),
  }),
  route({
    method: 'GET',
    path: '/repositories/{repo_id}',
    operationId: 'getRepository',
    summary: 'Shows a repository',
    access: 'user',
    answers: OneRepositoryAnswer,
    problems: [RepositoryNotFound],
    handle: async ({ path }, { entries }) => ({ success: true, repository: await entries.get(path.repo_id) }),
  }),
  route({
    method: 'POST',
    path: '/repositories',
    operationId: 'createRepository',
    summary: 'Adds a repository to the list',
    access: 'admin',
    body: NewRepositoryBody,
    answers: ChangedRepositoryAnswer,
    handle: async ({ body }, { entries }) => {
      const repository = await entries.create(body);
      return { success: true, message: `The repository "${repository.name}" was added.`, repository };
    },
  }),
  route({
    method: 'PUT',
    path: '/repositories/{repo_id}',
    operationId: 'updateRepository',
    summary: 'Changes a repository; what is not named stays',
    access: 'admin',
    body: RepositoryChangesBody,
    answers: ChangedRepositoryAnswer,
    problems: [RepositoryNotFound, RepositoryHosted, AlgorithmNotFound],
    fixed: async ({ path }, { entries }) => {
      const { id, created_at } = await entries.get(path.repo_id);
      return { id, created_at };
    },
    handle: async ({ path, body }, { linking }) => {
      const repository = await linking.update(path.repo_id, body);
      return { success: true, message: `The repository "${repository.name}" was changed.`, repository };
    },
  }),
  route({
    method: 'DELETE',
    path: '/repositories/{repo_id}',
    operationId: 'deleteRepository',
    summary: 'Deletes a repository, on its code-hosting server too',
    access: 'admin',
    query: DeletionQuery,
    answers: DeletedRepositoryAnswer,
    problems: [RepositoryNotFound, CodeHostAway, ...codeHostProblems],
    handle: async ({ path, query }, { deletion }) => {
      const deletedThere = await deletion.remove(path.repo_id, query.hosted);
      const where = deletedThere ? ', here and on the code-hosting server' : '';
      return {
        success: true,
        message: `The repository was deleted${where}.`,
        repohost_deleted: deletedThere,
      };
    },
  }),
];
