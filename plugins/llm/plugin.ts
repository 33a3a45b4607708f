import { BACKENDS, contribute, definePlugin, EGRESS, METRICS, optional, service } from '../../core/index.ts';
import { CATALOGUE } from '../catalogue/contract.ts';
import { CHOSEN_MODEL, chosenModel } from './chosen-model.ts';
import { LlmSettings } from './config.ts';
import { LANGUAGE_MODELS } from './contract.ts';
import { DATA_GENERATION, DataGeneration } from './data-generation.ts';
import { modelCheck } from './doctor.ts';
import { IMAGE_DESCRIPTION, ImageDescription } from './image-description.ts';
import { IMAGE_FETCHER, ImageFetcher } from './images/image-fetcher.ts';
import { OfflineModel } from './offline/offline-model.ts';
import { OpenAiModel } from './openai/openai-model.ts';
import { GeneratedDataInvalid, ImageUnusable, modelProblems, SampleTooLarge } from './problems.ts';
import { routes } from './routes.ts';
import { MODEL_ADMISSION, ModelAdmission, REQUESTS_METRIC } from './admission.ts';

const settings = LlmSettings.token;

export default definePlugin({
  id: 'llm',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Generates data and describes images with a language model, or with an honest stand-in',
  optional: ['catalogue'],
  config: LlmSettings,
  services: [
    service({
      token: IMAGE_FETCHER,
      deps: { egress: EGRESS },
      create: ({ egress }) => new ImageFetcher(egress),
    }),
    service({
      token: CHOSEN_MODEL,
      deps: { models: LANGUAGE_MODELS, settings },
      create: ({ models, settings: values }) => chosenModel(models, values),
    }),
    service({
      token: MODEL_ADMISSION,
      deps: { metrics: METRICS, settings },
      create: (deps) => new ModelAdmission(deps),
    }),
    service({
      token: DATA_GENERATION,
      deps: { model: CHOSEN_MODEL, admission: MODEL_ADMISSION, catalogue: optional(CATALOGUE) },
      create: (deps) => new DataGeneration(deps),
    }),
    service({
      token: IMAGE_DESCRIPTION,
      deps: { model: CHOSEN_MODEL, admission: MODEL_ADMISSION, images: IMAGE_FETCHER },
      create: (deps) => new ImageDescription(deps),
    }),
  ],
  opens: [LANGUAGE_MODELS],
  contributes: [
    contribute(LANGUAGE_MODELS, {
      deps: { backends: BACKENDS, images: IMAGE_FETCHER, settings },
      create: (deps) => new OpenAiModel(deps),
    }),
    contribute(LANGUAGE_MODELS, { deps: {}, create: () => new OfflineModel() }),
  ],
  routes,
  problems: [...modelProblems, GeneratedDataInvalid, SampleTooLarge, ImageUnusable],
  metrics: [REQUESTS_METRIC],
  doctor: [modelCheck],
  pages: [
    {
      id: 'test-data',
      title: { en: 'Test data', zh: '测试数据' },
      icon: 'star',
      access: 'user',
      kind: 'module',
      file: 'test-data.js',
    },
  ],
  webFiles: new URL('./assets/', import.meta.url),
});
