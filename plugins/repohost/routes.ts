import { authorOf, routesWith } from '../../core/index.ts';
import { AlgorithmNotFound } from '../catalogue/contract.ts';
import { codeHostProblems } from '../repositories/contract.ts';
import { CONFIGURATION } from './configuration.ts';
import { CONNECTION_TEST } from './connection-test.ts';
import { HOSTING } from './hosting.ts';
import { HostedRepositoryExists, HostedRepositoryNotFound } from './problems.ts';
import {
  ConfigurationAnswer,
  ConfigurationBody,
  ConnectionAnswer,
  DoneAnswer,
  HostedChangesBody,
  HostedRepositoryAnswer,
  NewHostedBody,
} from './schemas.ts';

const route = routesWith({ configuration: CONFIGURATION, hosting: HOSTING, test: CONNECTION_TEST });

export const routes = [
  route({
    method: 'GET',
    path: '/repohost/config',
    operationId: 'getCodeHostingConfiguration',
    summary: 'Shows how the code-hosting server is configured; the token is masked',
    description: 'For administrators. Fields that were never set are empty.',
    access: 'admin',
    answers: ConfigurationAnswer,
    handle: (_, { configuration }) => configuration.shown(),
  }),
  route({
    method: 'POST',
    path: '/repohost/config',
    operationId: 'saveCodeHostingConfiguration',
    summary: 'Configures the code-hosting server; omitted fields stay unchanged',
    description: 'Checks the shape of the values and asks no server: `POST /repohost/test` does.',
    access: 'admin',
    body: ConfigurationBody,
    answers: DoneAnswer,
    handle: async (input, { configuration }) => {
      const url = await configuration.save(input.body, authorOf(input));
      return { success: true, message: `The configuration was saved. The server starts at ${url}.` };
    },
  }),
  route({
    method: 'DELETE',
    path: '/repohost/config',
    operationId: 'deleteCodeHostingConfiguration',
    summary: 'Forgets the code-hosting server and its token',
    description: 'For administrators. Repositories on the server stay as they are.',
    access: 'admin',
    answers: DoneAnswer,
    handle: async (input, { configuration }) => {
      await configuration.clear(authorOf(input));
      return { success: true, message: 'The configuration was deleted.' };
    },
  }),
  route({
    method: 'POST',
    path: '/repohost/test',
    operationId: 'testCodeHosting',
    summary: 'Asks the code-hosting server who it is and whose token we have',
    description: 'For administrators. Reads only: nothing is created on the server.',
    access: 'admin',
    answers: ConnectionAnswer,
    problems: codeHostProblems,
    handle: (_, { test }) => test.run(),
  }),
  route({
    method: 'POST',
    path: '/repohost/repos/create',
    operationId: 'createHostedRepository',
    summary: 'Makes a repository for an algorithm on the code-hosting server',
    description:
      'For administrators. The name is `repo_prefix` and the id of the algorithm. An entry among the ' +
      'repositories links the two.',
    access: 'admin',
    body: NewHostedBody,
    answers: HostedRepositoryAnswer,
    problems: [AlgorithmNotFound, HostedRepositoryExists, ...codeHostProblems],
    handle: (input, { hosting }) => hosting.create(input.body, authorOf(input)),
  }),
  route({
    method: 'PATCH',
    path: '/repohost/repos/update',
    operationId: 'updateHostedRepository',
    summary: 'Changes the repository of an algorithm on the code-hosting server',
    description: 'For administrators. What is not named stays.',
    access: 'admin',
    body: HostedChangesBody,
    answers: DoneAnswer,
    problems: [HostedRepositoryNotFound, ...codeHostProblems],
    fixed: ({ body }, { hosting }) => hosting.fixed(body.algorithm_id),
    handle: async (input, { hosting }) => {
      await hosting.update(input.body, authorOf(input));
      return { success: true, message: 'The repository was changed.' };
    },
  }),
];
