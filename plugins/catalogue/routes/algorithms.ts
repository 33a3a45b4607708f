import { authorOf, MessageAnswer, routesWith } from '../../../core/index.ts';
import { ALGORITHMS } from '../algorithms.ts';
import { algorithmAnswer } from '../answers.ts';
import { CHECK_MARKS } from '../check-marks.ts';
import { ALGORITHM_PARAMETER, AlgorithmNotCovered, AlgorithmNotFound } from '../contract.ts';
import { PUBLIC_ANSWERS } from '../public-answers.ts';
import { READER } from '../reader.ts';
import { MANAGE } from '../rights.ts';
import {
  AlgorithmAnswer,
  AlgorithmChangesBody,
  AlgorithmListAnswer,
  AlgorithmListQuery,
  BareAlgorithmAnswer,
  NewAlgorithmBody,
} from '../schemas.ts';

const route = routesWith({
  answers: PUBLIC_ANSWERS,
  algorithms: ALGORITHMS,
  reader: READER,
  marks: CHECK_MARKS,
});

export const algorithmRoutes = [
  route({
    method: 'GET',
    path: '/algorithms',
    operationId: 'listAlgorithms',
    summary: 'Lists algorithms',
    description:
      'Open to everyone. Unless the query selects, it lists the whole catalogue, a page at a time; `versions` is empty here, ' +
      'and `getAlgorithm` shows them. Private ones are listed and counted only for callers who may see them. ' +
      '`type`, `status`, `check` and `tags` are repeated to name several.',
    access: 'public',
    query: AlgorithmListQuery,
    answers: AlgorithmListAnswer,
    isTagged: true,
    handle: ({ query, principal }, { answers }) => answers.list(query, principal),
  }),
  route({
    method: 'POST',
    path: '/algorithms',
    operationId: 'createAlgorithm',
    summary: 'Creates an algorithm',
    description: 'For administrators. The new algorithm has no versions; `createVersion` adds the first one.',
    access: 'admin',
    body: NewAlgorithmBody,
    answers: BareAlgorithmAnswer,
    handle: async (input, { algorithms, marks }) => {
      const { body } = input;
      const algorithm = await algorithms.create(body, authorOf(input));
      return marks.onAlgorithm(algorithmAnswer({ algorithm, readme: body.readme ?? '' }));
    },
  }),
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'getAlgorithm',
    summary: 'Shows an algorithm with its versions',
    description: 'Open to everyone. The version to call is the one with `is_default`.',
    access: 'public',
    answers: AlgorithmAnswer,
    isTagged: true,
    problems: [AlgorithmNotFound, AlgorithmNotCovered],
    handle: ({ path, principal }, { answers }) => answers.algorithm(path.algorithm_id, principal),
  }),
  route({
    method: 'PUT',
    path: '/algorithms/{algorithm_id}',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'updateAlgorithm',
    summary: 'Changes an algorithm; omitted fields stay unchanged',
    description:
      'For administrators and those who manage the algorithm. A status other than `active` takes effect for ' +
      'the next call.',
    access: MANAGE,
    heedsResources: true,
    body: AlgorithmChangesBody,
    answers: AlgorithmAnswer,
    problems: [AlgorithmNotFound, AlgorithmNotCovered],
    fixed: async ({ path }, { reader }) => {
      const { id, created_at } = await reader.algorithm(path.algorithm_id);
      return { id, created_at };
    },
    handle: async (input, { algorithms, reader, marks }) => {
      const { path, body } = input;
      await algorithms.update(path.algorithm_id, body, authorOf(input));
      return marks.onAlgorithm(algorithmAnswer(await reader.algorithmAndVersions(path.algorithm_id)));
    },
  }),
  route({
    method: 'DELETE',
    path: '/algorithms/{algorithm_id}',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'deleteAlgorithm',
    summary: 'Deletes an algorithm and its versions; records of calls stay',
    description:
      'For administrators and those who manage the algorithm. Grants on it end as well; statistics stay.',
    access: MANAGE,
    heedsResources: true,
    answers: MessageAnswer,
    problems: [AlgorithmNotFound, AlgorithmNotCovered],
    handle: async (input, { algorithms }) => {
      await algorithms.remove(input.path.algorithm_id, authorOf(input));
      return { message: 'The algorithm and its versions were deleted.' };
    },
  }),
];
