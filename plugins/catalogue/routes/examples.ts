import { authorOf, MessageAnswer, routesWith } from '../../../core/index.ts';
import { exampleAnswer } from '../answers.ts';
import {
  AlgorithmNotCovered,
  AlgorithmNotFound,
  ExampleNotFound,
  RECORDED_CALLS,
  SchemaTooCostly,
  TooManyExamples,
  VersionNotFound,
} from '../contract.ts';
import { EXAMPLES } from '../examples/examples.ts';
import { exampleAsked } from '../examples/recorded.ts';
import { ExampleAnswer, ExampleChangesBody, ExampleListAnswer, NewExampleBody } from '../examples/schemas.ts';
import { PUBLIC_ANSWERS } from '../public-answers.ts';
import { READER } from '../reader.ts';
import { MANAGE } from '../rights.ts';
import { VERSION_PARAMETERS } from './versions.ts';

const route = routesWith({
  answers: PUBLIC_ANSWERS,
  examples: EXAMPLES,
  reader: READER,
  calls: RECORDED_CALLS,
});

const PARAMETERS = {
  ...VERSION_PARAMETERS,
  example_id: { description: 'The `id` of an example of the version.' },
};

export const exampleRoutes = [
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}/versions/{version_id}/examples',
    parameters: VERSION_PARAMETERS,
    operationId: 'listExamples',
    summary: 'Lists the examples of a version, oldest first',
    description: 'Open to all who see the version. All examples are in one answer.',
    access: 'public',
    answers: ExampleListAnswer,
    links: { example_id: '/0/id' },
    isTagged: true,
    problems: [AlgorithmNotFound, AlgorithmNotCovered, VersionNotFound],
    handle: ({ path, principal }, { answers }) =>
      answers.examples(path.algorithm_id, path.version_id, principal),
  }),
  route({
    method: 'POST',
    path: '/algorithms/{algorithm_id}/versions/{version_id}/examples',
    parameters: VERSION_PARAMETERS,
    operationId: 'createExample',
    summary: 'Adds an example to a version',
    description:
      'The version must accept it. Input, params and output have at most 256 KiB together, a version at most 50 examples. The first one becomes the default.',
    access: MANAGE,
    heedsResources: true,
    body: NewExampleBody,
    answers: ExampleAnswer,
    links: { example_id: '/id' },
    problems: [AlgorithmNotFound, AlgorithmNotCovered, VersionNotFound, TooManyExamples, SchemaTooCostly],
    handle: async (input, { examples, reader, calls }) => {
      const { path, body, principal } = input;
      const { version } = await reader.version(path.algorithm_id, path.version_id);
      const asked = await exampleAsked(calls, { versionId: version.id, body, principal });
      return exampleAnswer(await examples.create(version, asked, authorOf(input), body.call_id));
    },
  }),
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}/versions/{version_id}/examples/{example_id}',
    parameters: PARAMETERS,
    operationId: 'getExample',
    summary: 'Shows an example',
    description: 'Open to all who see the version.',
    access: 'public',
    answers: ExampleAnswer,
    isTagged: true,
    problems: [AlgorithmNotFound, AlgorithmNotCovered, VersionNotFound, ExampleNotFound],
    handle: ({ path, principal }, { answers }) =>
      answers.example(path.algorithm_id, path.version_id, path.example_id, principal),
  }),
  route({
    method: 'PUT',
    path: '/algorithms/{algorithm_id}/versions/{version_id}/examples/{example_id}',
    parameters: PARAMETERS,
    operationId: 'updateExample',
    summary: 'Changes an example; what is not named stays',
    description:
      'The version must accept changed input and params. The mark of the default moves as that of versions does.',
    access: MANAGE,
    heedsResources: true,
    body: ExampleChangesBody,
    answers: ExampleAnswer,
    problems: [AlgorithmNotFound, AlgorithmNotCovered, VersionNotFound, ExampleNotFound, SchemaTooCostly],
    fixed: async ({ path }, { examples, reader }) => {
      await reader.version(path.algorithm_id, path.version_id);
      const { id, created_at } = await examples.find(path.version_id, path.example_id);
      return { id, created_at };
    },
    handle: async (input, { examples, reader }) => {
      const { path, body } = input;
      const { version } = await reader.version(path.algorithm_id, path.version_id);
      return exampleAnswer(await examples.update(version, path.example_id, body, authorOf(input)));
    },
  }),
  route({
    method: 'DELETE',
    path: '/algorithms/{algorithm_id}/versions/{version_id}/examples/{example_id}',
    parameters: PARAMETERS,
    operationId: 'deleteExample',
    summary: 'Deletes an example; when it was the default, the oldest one becomes it',
    description: 'For administrators and those who manage the algorithm.',
    access: MANAGE,
    heedsResources: true,
    answers: MessageAnswer,
    problems: [AlgorithmNotFound, AlgorithmNotCovered, VersionNotFound, ExampleNotFound],
    handle: async (input, { examples, reader }) => {
      const { path } = input;
      const { version } = await reader.version(path.algorithm_id, path.version_id);
      await examples.remove(version, path.example_id, authorOf(input));
      return { message: 'The example was deleted.' };
    },
  }),
];
