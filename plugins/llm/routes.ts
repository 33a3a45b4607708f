import { EgressDenied, routesWith } from '../../core/index.ts';
import { SchemaTooCostly, VersionNotFound } from '../catalogue/contract.ts';
import { CHOSEN_MODEL, OFFLINE } from './chosen-model.ts';
import { DATA_GENERATION } from './data-generation.ts';
import { IMAGE_DESCRIPTION } from './image-description.ts';
import { GeneratedDataInvalid, ImageUnusable, modelProblems, SampleTooLarge } from './problems.ts';
import {
  DescribeImageAnswer,
  DescribeImageRequest,
  GenerateDataAnswer,
  GenerateDataRequest,
  LanguageModelAnswer,
} from './schemas.ts';

const route = routesWith({
  generation: DATA_GENERATION,
  description: IMAGE_DESCRIPTION,
  model: CHOSEN_MODEL,
});

export const routes = [
  route({
    method: 'GET',
    path: '/llm',
    operationId: 'getLanguageModel',
    summary: 'Tells whether a language model is configured',
    description: 'Without one, a stand-in answers.',
    access: 'anonymous',
    answers: LanguageModelAnswer,
    handle: (_, { model }) => ({ configured: model.name !== OFFLINE }),
  }),
  route({
    method: 'POST',
    path: '/llm/generate-data',
    operationId: 'generateData',
    summary: 'Makes up input data from a description',
    description: 'Without a configured model, a stand-in answers and says `offline`.',
    access: 'user',
    scope: 'call',
    body: GenerateDataRequest,
    answers: GenerateDataAnswer,
    problems: [...modelProblems, GeneratedDataInvalid, SampleTooLarge, VersionNotFound, SchemaTooCostly],
    handle: ({ body, principal, request }, { generation }) =>
      generation.generate(principal, body, request.signal),
  }),
  route({
    method: 'POST',
    path: '/llm/describe-image',
    operationId: 'describeImage',
    summary: 'Describes an image, given its address',
    description: 'The server fetches the image; the model never sees its address.',
    access: 'user',
    scope: 'call',
    body: DescribeImageRequest,
    bodyLimit: 'large',
    answers: DescribeImageAnswer,
    problems: [...modelProblems, ImageUnusable, EgressDenied],
    handle: ({ body, principal, request }, { description }) =>
      description.describe(principal, body.image_url, request.signal),
  }),
];
