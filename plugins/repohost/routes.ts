import { routesWith } from '../../core/index.ts';
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
    access: 'admin',
    answers: ConfigurationAnswer,
    handle: (_, { configuration }) => configuration.shown(),
  }),
  route({
    method: 'POST',
    path: '/repohost/config',
    operationId: 'saveCodeHostingConfiguration',
    summary: 'Configures the code-hosting server; what is not named stays',
    description: 'Checks the shape of the values and asks no server: `POST /repohost/test` does.',
    access: 'admin',
    body: ConfigurationBody,
    answers: DoneAnswer,
    handle: async ({ body }, { configuration }) => {
      await configuration.save(body);
      return { success: true, message: 'The configuration was saved.' };
    },
  }),
  route({
    method: 'DELETE',
    path: '/repohost/config',
    operationId: 'deleteCodeHostingConfiguration',
    summary: 'Forgets the code-hosting server and its token',
    access: 'admin',
    answers: DoneAnswer,
    handle: async (_, { configuration }) => {
      await configuration.clear();
      return { success: true, message: 'The configuration was deleted.' };
    },
  }),
  route({
    method: 'POST',
    path: '/repohost/test',
    operationId: 'testCodeHosting',
    summary: 'Asks the code-hosting server who it is and whose token we have',
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
    access: 'admin',
    body: NewHostedBody,
    answers: HostedRepositoryAnswer,
    problems: [AlgorithmNotFound, HostedRepositoryExists, ...codeHostProblems],
    handle: ({ body }, { hosting }) => hosting.create(body),
  }),
  route({
    method: 'PATCH',
    path: '/repohost/repos/update',
    operationId: 'updateHostedRepository',
    summary: 'Changes the repository of an algorithm on the code-hosting server',
    access: 'admin',
    body: HostedChangesBody,
    answers: DoneAnswer,
    problems: [HostedRepositoryNotFound, ...codeHostProblems],
    fixed: ({ body }, { hosting }) => hosting.fixed(body.algorithm_id),
    handle: async ({ body }, { hosting }) => {
      await hosting.update(body);
      return { success: true, message: 'The repository was changed.' };
    },
  }),
];
