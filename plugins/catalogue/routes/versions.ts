import { EgressDenied, MessageAnswer, routesWith, TAG_HEADERS } from '../../../core/index.ts';
import { versionAnswer } from '../answers.ts';
import { AlgorithmNotFound, TooManyVersions, VersionLabelTaken, VersionNotFound } from '../contract.ts';
import { PUBLIC_ANSWERS } from '../public-answers.ts';
import { READER } from '../reader.ts';
import { MANAGE } from '../rights.ts';
import { NewVersionBody, VersionAnswer, VersionChangesBody, VersionListAnswer } from '../schemas.ts';
import { VERSIONS } from '../versions.ts';

const route = routesWith({ answers: PUBLIC_ANSWERS, versions: VERSIONS, reader: READER });

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
    handle: ({ path }, { answers }) => answers.versions(path.algorithm_id),
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
    handle: ({ path }, { answers }) => answers.version(path.algorithm_id, path.version_id),
  }),
  route({
    method: 'PUT',
    path: '/algorithms/{algorithm_id}/versions/{version_id}',
    operationId: 'updateVersion',
    summary: 'Changes a version; what is not named stays',
    description:
      'A version that becomes the default takes the mark from the old one. One that is told not to be it any more gives the ' +
      'mark to the newest other one, and keeps it where there is no other.',
    access: MANAGE,
    body: VersionChangesBody,
    answers: VersionAnswer,
    problems: [AlgorithmNotFound, VersionNotFound, VersionLabelTaken, EgressDenied],
    fixed: async ({ path }, { reader }) => {
      const { version } = await reader.version(path.algorithm_id, path.version_id);
      return { id: version.id, algorithm_id: version.algorithm_id, created_at: version.created_at };
    },
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
