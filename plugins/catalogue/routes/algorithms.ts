import { MessageAnswer, routesWith, TAG_HEADERS } from '../../../core/index.ts';
import { ALGORITHMS } from '../algorithms.ts';
import { algorithmAnswer } from '../answers.ts';
import { AlgorithmNotFound } from '../contract.ts';
import { PUBLIC_ANSWERS } from '../public-answers.ts';
import { READER } from '../reader.ts';
import { MANAGE } from '../rights.ts';
import {
  AlgorithmAnswer,
  AlgorithmChangesBody,
  AlgorithmListAnswer,
  AlgorithmListQuery,
  NewAlgorithmBody,
} from '../schemas.ts';

const route = routesWith({ answers: PUBLIC_ANSWERS, algorithms: ALGORITHMS, reader: READER });

export const algorithmRoutes = [
  route({
    method: 'GET',
    path: '/algorithms',
    operationId: 'listAlgorithms',
    summary: 'Lists algorithms, newest first',
    access: 'public',
    query: AlgorithmListQuery,
    answers: AlgorithmListAnswer,
    headers: TAG_HEADERS,
    handle: ({ query }, { answers }) => answers.list(query),
  }),
  route({
    method: 'POST',
    path: '/algorithms',
    operationId: 'createAlgorithm',
    summary: 'Creates an algorithm',
    access: 'admin',
    body: NewAlgorithmBody,
    answers: AlgorithmAnswer,
    handle: async ({ body }, { algorithms }) => algorithmAnswer(await algorithms.create(body), []),
  }),
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}',
    operationId: 'getAlgorithm',
    summary: 'Shows an algorithm with its versions',
    access: 'public',
    answers: AlgorithmAnswer,
    headers: TAG_HEADERS,
    problems: [AlgorithmNotFound],
    handle: ({ path }, { answers }) => answers.algorithm(path.algorithm_id),
  }),
  route({
    method: 'PUT',
    path: '/algorithms/{algorithm_id}',
    operationId: 'updateAlgorithm',
    summary: 'Changes an algorithm; what is not named stays',
    access: MANAGE,
    body: AlgorithmChangesBody,
    answers: AlgorithmAnswer,
    problems: [AlgorithmNotFound],
    fixed: async ({ path }, { reader }) => {
      const { id, created_at } = await reader.algorithm(path.algorithm_id);
      return { id, created_at };
    },
    handle: async ({ path, body }, { algorithms, reader }) => {
      await algorithms.update(path.algorithm_id, body);
      const { algorithm, versions } = await reader.algorithmAndVersions(path.algorithm_id);
      return algorithmAnswer(algorithm, versions);
    },
  }),
  route({
    method: 'DELETE',
    path: '/algorithms/{algorithm_id}',
    operationId: 'deleteAlgorithm',
    summary: 'Deletes an algorithm and its versions; records of calls stay',
    access: MANAGE,
    answers: MessageAnswer,
    problems: [AlgorithmNotFound],
    handle: async ({ path }, { algorithms }) => {
      await algorithms.remove(path.algorithm_id);
      return { message: 'The algorithm and its versions were deleted.' };
    },
  }),
];
