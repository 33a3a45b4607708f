import { authorOf, Forbidden, rawContent, replyBytes, routesWith, tagBytes } from '../../core/index.ts';
import {
  ALGORITHM_PARAMETER,
  AlgorithmNotCovered,
  AlgorithmNotFound,
  EXAMPLE_VERSION_ID,
  VersionNotFound,
} from '../catalogue/contract.ts';
import { AlgorithmInactive } from '../invocation/contract.ts';
import { badgeOf } from './badge.ts';
import { CHECK_SERVICE } from './check-service.ts';
import { NothingToCheck } from './problems.ts';
import { CheckedVersionAnswer, CheckRunAnswer, CheckRunsAnswer } from './schemas.ts';

const route = routesWith({ checks: CHECK_SERVICE });

const parameters = {
  ...ALGORITHM_PARAMETER,
  version_id: {
    description: 'The `id` of a version of the algorithm, or `default`.',
    example: EXAMPLE_VERSION_ID,
  },
};
const UNKNOWN = [AlgorithmNotFound, AlgorithmNotCovered, VersionNotFound];
const MANAGERS = 'For administrators and those who manage the algorithm.';

export const routes = [
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}/versions/{version_id}/check',
    parameters,
    operationId: 'getVersionCheck',
    summary: 'Says whether a version answers its examples as they expect',
    description: 'Open to all who see the version. Algorithms and versions show the same as `check`.',
    access: 'public',
    answers: CheckedVersionAnswer,
    problems: UNKNOWN,
    handle: ({ path, principal }, { checks }) => checks.find(path, principal),
  }),
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}/versions/{version_id}/badge.svg',
    parameters,
    operationId: 'getVersionBadge',
    summary: 'Draws whether a version works, as a picture for readmes',
    description: 'Open to all who see the version.',
    access: 'public',
    answers: rawContent('image/svg+xml'),
    isTagged: true,
    problems: UNKNOWN,
    handle: async ({ path, principal }, { checks }) =>
      replyBytes(tagBytes(badgeOf(await checks.find(path, principal)))),
  }),
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}/versions/{version_id}/checks',
    parameters,
    operationId: 'listVersionChecks',
    summary: 'Lists the last checks of a version with what was not as expected',
    description: MANAGERS,
    access: 'user',
    heedsResources: true,
    answers: CheckRunsAnswer,
    problems: [...UNKNOWN, Forbidden],
    handle: async ({ path, principal }, { checks }) => ({ checks: await checks.runs(path, principal) }),
  }),
  route({
    method: 'POST',
    path: '/algorithms/{algorithm_id}/versions/{version_id}/checks',
    parameters,
    operationId: 'checkVersion',
    summary: 'Runs the examples of a version now and answers what came of them',
    description:
      `${MANAGERS} The check does not count in statistics or limits. The answer comes when the last example has ended; ` +
      'when the version is being checked already, it is the result of that check.',
    access: 'user',
    heedsResources: true,
    answers: CheckRunAnswer,
    problems: [...UNKNOWN, Forbidden, AlgorithmInactive, NothingToCheck],
    handle: (input, { checks }) =>
      checks.check(input.path, input.principal, { signal: input.request.signal, by: authorOf(input) }),
  }),
];
