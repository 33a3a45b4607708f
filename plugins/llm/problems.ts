import { problem } from '../../core/index.ts';
import {
  LanguageModelBusy,
  LanguageModelFailed,
  LanguageModelNotConfigured,
  LanguageModelTimeout,
} from './contract.ts';

export const GeneratedDataInvalid = problem({
  code: 'generated_data_invalid',
  status: 502,
  title: 'The generated data does not fit',
  description:
    'The language model was asked twice, and its data still breaks the schema of the version. `errors` names what is wrong; describe the data more closely.',
});

export const SampleTooLarge = problem({
  code: 'sample_too_large',
  status: 422,
  title: 'The schema asks for too much data',
  description:
    'No language model is configured, and the embedded stand-in makes up a limited amount: the `input_schema` of the version asks for more values, longer texts or more repetitions. A user who manages the version can lower what it demands.',
});

export const GenerationQuotaExceeded = problem({
  code: 'generation_quota_exceeded',
  status: 429,
  title: 'Too many requests to the language model',
  description:
    'Each user may ask the language model a number of times per minute. Wait for `Retry-After` seconds.',
});

export const ImageUnusable = problem({
  code: 'image_unusable',
  status: 422,
  title: 'The image cannot be used',
  description:
    'The address does not lead to a PNG, JPEG, GIF or WebP image within the limits of size. The sentence says why.',
});

/** What any request to a model may answer. */
export const modelProblems = [
  LanguageModelFailed,
  LanguageModelBusy,
  LanguageModelNotConfigured,
  LanguageModelTimeout,
  GenerationQuotaExceeded,
];
