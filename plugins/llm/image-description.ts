import { Problem, token, type UserPrincipal } from '../../core/index.ts';
import type { LanguageModel } from './contract.ts';
import type { ImageFetcher } from './images/image-fetcher.ts';
import { answerOf } from './model-answer.ts';
import { DESCRIBE } from './prompts.ts';
import type { DescribeImageAnswer } from './schemas.ts';
import type { ModelAdmission } from './admission.ts';

/** Describes images. They are fetched here, through the egress guard: the model's server never sees their addresses. */
export class ImageDescription {
  readonly #model: LanguageModel;
  readonly #admission: ModelAdmission;
  readonly #images: ImageFetcher;

  constructor(deps: {
    readonly model: LanguageModel;
    readonly admission: ModelAdmission;
    readonly images: ImageFetcher;
  }) {
    this.#model = deps.model;
    this.#admission = deps.admission;
    this.#images = deps.images;
  }

  /** Throws `EgressDenied`, `ImageUnusable` and the problems of the model. */
  async describe(who: UserPrincipal, url: string, client: AbortSignal): Promise<DescribeImageAnswer> {
    await aboutTheUrl(() => this.#images.check(url));
    return this.#admission.run('describe_image', who, client, async (signal) => {
      const image = await aboutTheUrl(() => this.#images.fetch(url, signal));
      const answer = await this.#model.vision({ instruction: DESCRIBE, image, signal });
      return { description: answerOf(answer), model: answer.model };
    });
  }
}

/** Names the field that is to blame in the problems of an image. */
async function aboutTheUrl<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = [{ pointer: '/body/image_url', message: error.message }];
    throw new Problem(error.type, error.message, { ...error.extras, errors });
  }
}

export const IMAGE_DESCRIPTION = token<ImageDescription>('llm:image-description');
