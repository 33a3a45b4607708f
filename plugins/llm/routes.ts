import { EgressDenied, routesWith } from '../../core/index.ts';
import { SchemaTooCostly, VersionNotFound } from '../catalogue/contract.ts';
import { DATA_GENERATION } from './data-generation.ts';
import { IMAGE_DESCRIPTION } from './image-description.ts';
import { GeneratedDataInvalid, ImageUnusable, modelProblems, SampleTooLarge } from './problems.ts';
import {
  DescribeImageAnswer,
  DescribeImageRequest,
  GenerateDataAnswer,
  GenerateDataRequest,
} from './schemas.ts';

const route = routesWith({ generation: DATA_GENERATION, description: IMAGE_DESCRIPTION });

export const routes = [
  route({
    method: 'POST',
    path: '/llm/generate-data',
    operationId: 'generateData',
    summary: 'Makes up input data from a description',
    description:
      'The answer of a language model is data, nothing more: it is never carried out. Without a configured model an ' +
      'embedded stand-in answers from the description and the schema, and says `offline`.',
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
    description:
      'The server fetches the image and hands it to the model, which never sees the address. Without a ' +
      'configured model an embedded stand-in measures the file, and says `offline`.',
    access: 'user',
    scope: 'call',
    body: DescribeImageRequest,
    answers: DescribeImageAnswer,
    problems: [...modelProblems, ImageUnusable, EgressDenied],
    handle: ({ body, principal, request }, { description }) =>
      description.describe(principal, body.image_url, request.signal),
  }),
];
