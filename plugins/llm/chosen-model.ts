import { StartupError, token } from '../../core/index.ts';
import type { LlmValues } from './config.ts';
import type { LanguageModel } from './contract.ts';

/** The stand-in that answers where no model is configured. */
export const OFFLINE = 'offline';

/** The language model that the settings name. Throws `StartupError` when there is none, or it is not set up. */
export function chosenModel(models: readonly LanguageModel[], settings: LlmValues): LanguageModel {
  const automatic = settings.base_url === '' ? OFFLINE : 'openai';
  const name = settings.backend === 'auto' ? automatic : settings.backend;
  const model = models.find((candidate) => candidate.name === name);
  if (model === undefined) {
    const known = models.map((candidate) => `"${candidate.name}"`).join(', ');
    throw new StartupError(
      `The setting llm.backend (LLM_BACKEND) is "${name}", and no plugin adds such a model. There are ${known}.`,
    );
  }
  model.check?.();
  return model;
}

export const CHOSEN_MODEL = token<LanguageModel>('llm:chosen-model');
