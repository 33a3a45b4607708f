import { authorOf, EgressDenied, MessageAnswer, routesWith } from '../../../core/index.ts';
import { versionAnswer } from '../answers.ts';
import { CHECK_MARKS } from '../check-marks.ts';
import {
  ALGORITHM_PARAMETER,
  AlgorithmNotCovered,
  AlgorithmNotFound,
  EXAMPLE_VERSION_ID,
  TooManyVersions,
  VersionLabelTaken,
  VersionNotFound,
} from '../contract.ts';
import { EXAMPLES } from '../examples/examples.ts';
import { PUBLIC_ANSWERS } from '../public-answers.ts';
import { READER } from '../reader.ts';
import { MANAGE } from '../rights.ts';
import { NewVersionBody, VersionAnswer, VersionChangesBody, VersionListAnswer } from '../schemas.ts';
import { VERSIONS } from '../versions.ts';

const route = routesWith({
  answers: PUBLIC_ANSWERS,
  versions: VERSIONS,
  examples: EXAMPLES,
  reader: READER,
  marks: CHECK_MARKS,
});

/** Tools write the bounds of 64-bit integers, which no double holds. */
const boundsIn = ['params', 'input_schema', 'output_schema'];

export const VERSION_PARAMETERS = {
  ...ALGORITHM_PARAMETER,
  version_id: { description: 'The `id` of a version of the algorithm.', example: EXAMPLE_VERSION_ID },
};

export const versionRoutes = [
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}/versions',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'listVersions',
    summary: 'Lists the versions of an algorithm, newest first',
    description: 'Open to everyone. All versions are in one response.',
    access: 'public',
    answers: VersionListAnswer,
    isTagged: true,
    problems: [AlgorithmNotFound, AlgorithmNotCovered],
    handle: ({ path, principal }, { answers }) => answers.versions(path.algorithm_id, principal),
  }),
  route({
    method: 'POST',
    path: '/algorithms/{algorithm_id}/versions',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'createVersion',
    summary: 'Adds a version to an algorithm',
    description: 'The first version becomes the default. A new default replaces the previous one.',
    access: MANAGE,
    heedsResources: true,
    body: NewVersionBody,
    boundsIn,
    answers: VersionAnswer,
    problems: [AlgorithmNotFound, AlgorithmNotCovered, VersionLabelTaken, TooManyVersions, EgressDenied],
    handle: async (input, { versions, marks }) =>
      marks.onVersion(
        versionAnswer(await versions.create(input.path.algorithm_id, input.body, authorOf(input))),
      ),
  }),
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}/versions/{version_id}',
    parameters: VERSION_PARAMETERS,
    operationId: 'getVersion',
    summary: 'Shows a version',
    description: 'Open to everyone. `input_schema` and `params` say what a call may send.',
    access: 'public',
    answers: VersionAnswer,
    isTagged: true,
    problems: [AlgorithmNotFound, AlgorithmNotCovered, VersionNotFound],
    handle: ({ path, principal }, { answers }) =>
      answers.version(path.algorithm_id, path.version_id, principal),
  }),
  route({
    method: 'PUT',
    path: '/algorithms/{algorithm_id}/versions/{version_id}',
    parameters: VERSION_PARAMETERS,
    operationId: 'updateVersion',
    summary: 'Changes a version; omitted fields stay unchanged',
    description:
      'A new default replaces the previous one. `is_default: false` makes the newest other version the default; the only ' +
      'version stays the default. `unfit_examples` are those that it does not accept.',
    access: MANAGE,
    heedsResources: true,
    body: VersionChangesBody,
    boundsIn,
    answers: VersionAnswer,
    problems: [AlgorithmNotFound, AlgorithmNotCovered, VersionNotFound, VersionLabelTaken, EgressDenied],
    fixed: async ({ path }, { reader }) => {
      const { version } = await reader.version(path.algorithm_id, path.version_id);
      return { id: version.id, algorithm_id: version.algorithm_id, created_at: version.created_at };
    },
    handle: async (input, { versions, examples, marks }) => {
      const { path, body } = input;
      const version = await versions.update(path.algorithm_id, path.version_id, body, authorOf(input));
      return marks.onVersion(versionAnswer(version, await examples.recheck(version)));
    },
  }),
  route({
    method: 'DELETE',
    path: '/algorithms/{algorithm_id}/versions/{version_id}',
    parameters: VERSION_PARAMETERS,
    operationId: 'deleteVersion',
    summary: 'Deletes a version; when it was the default, the newest one becomes it',
    description: 'For administrators and those who manage the algorithm. Calls that run are not interrupted.',
    access: MANAGE,
    heedsResources: true,
    answers: MessageAnswer,
    problems: [AlgorithmNotFound, AlgorithmNotCovered, VersionNotFound],
    handle: async (input, { versions }) => {
      await versions.remove(input.path.algorithm_id, input.path.version_id, authorOf(input));
      return { message: 'The version was deleted.' };
    },
  }),
];
