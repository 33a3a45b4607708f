import { EgressDenied, MessageAnswer, routesWith, TAG_HEADERS } from '../../../core/index.ts';
import { versionAnswer } from '../answers.ts';
import {
  AlgorithmNotFound,
  DefaultVersionNeeded,
  TooManyVersions,
  VersionLabelTaken,
  VersionNotFound,
} from '../contract.ts';
import { PUBLIC_ANSWERS } from '../public-answers.ts';
import { MANAGE } from '../rights.ts';
import { NewVersionBody, VersionAnswer, VersionChangesBody, VersionListAnswer } from '../schemas.ts';
import { VERSIONS } from '../versions.ts';

const route = routesWith({ answers: PUBLIC_ANSWERS, versions: VERSIONS });

/** Tools write the bounds of 64-bit integers, which no double holds. */
const boundsIn = ['params', 'input_schema', 'output_schema'];

export const versionRoutes = [
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}/versions',
    operationId: 'listVersions',
    summary: 'Lists the versions of an algorithm, newest first',
    access: 'public',
    answers: VersionListAnswer,
    headers: TAG_HEADERS,
    problems: [AlgorithmNotFound],
    handle: ({ path, principal }, { answers }) => answers.versions(path.algorithm_id, principal),
  }),
  route({
    method: 'POST',
    path: '/algorithms/{algorithm_id}/versions',
    operationId: 'createVersion',
    summary: 'Adds a version to an algorithm',
    description:
      'The first version becomes the default one. Setting a default takes the mark from the old one.',
    access: MANAGE,
    body: NewVersionBody,
    boundsIn,
    answers: VersionAnswer,
    problems: [AlgorithmNotFound, VersionLabelTaken, TooManyVersions, EgressDenied],
    handle: async ({ path, body }, { versions }) =>
      versionAnswer(await versions.create(path.algorithm_id, body)),
  }),
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}/versions/{version_id}',
    operationId: 'getVersion',
    summary: 'Shows a version',
    access: 'public',
    answers: VersionAnswer,
    headers: TAG_HEADERS,
    problems: [AlgorithmNotFound, VersionNotFound],
    handle: ({ path, principal }, { answers }) =>
      answers.version(path.algorithm_id, path.version_id, principal),
  }),
  route({
    method: 'PUT',
    path: '/algorithms/{algorithm_id}/versions/{version_id}',
    operationId: 'updateVersion',
    summary: 'Changes a version; what is not named stays',
    description:
      'To change the default, set `is_default` on the new one: it cannot be taken from the default itself.',
    access: MANAGE,
    body: VersionChangesBody,
    boundsIn,
    answers: VersionAnswer,
    problems: [AlgorithmNotFound, VersionNotFound, VersionLabelTaken, DefaultVersionNeeded, EgressDenied],
    handle: async ({ path, body }, { versions }) =>
      versionAnswer(await versions.update(path.algorithm_id, path.version_id, body)),
  }),
  route({
    method: 'DELETE',
    path: '/algorithms/{algorithm_id}/versions/{version_id}',
    operationId: 'deleteVersion',
    summary: 'Deletes a version; when it was the default, the newest one becomes it',
    access: MANAGE,
    answers: MessageAnswer,
    problems: [AlgorithmNotFound, VersionNotFound],
    handle: async ({ path }, { versions }) => {
      await versions.remove(path.algorithm_id, path.version_id);
      return { message: 'The version was deleted.' };
    },
  }),
];
