import { OutboundError, token, type Egress } from '../../../core/index.ts';
import type { LlmValues } from '../config.ts';
import type { Image } from '../contract.ts';
import { ImageUnusable } from '../problems.ts';
import { imageFrom } from './image.ts';

type Limits = Pick<LlmValues, 'image_timeout_ms' | 'max_image_bytes' | 'max_image_pixels'>;

/** Fetches images that users point at, through the egress guard and within bounds of time, bytes and pixels. */
export class ImageFetcher {
  readonly #egress: Egress;
  readonly #limits: Limits;

  constructor(egress: Egress, limits: Limits) {
    this.#egress = egress;
    this.#limits = limits;
  }

  /** Throws `EgressDenied` for an address that is refused as it stands. */
  check(url: string): void {
    this.#egress.check(url, 'content');
  }

  /** Throws `ImageUnusable`, which does not say whether a name leads inside. */
  async fetch(url: string, signal: AbortSignal): Promise<Image> {
    return imageFrom(await this.#bytesAt(url, signal), this.#limits);
  }

  async #bytesAt(url: string, signal: AbortSignal): Promise<Buffer> {
    const { image_timeout_ms: timeoutMs, max_image_bytes: maxBytes } = this.#limits;
    try {
      const headers = { accept: 'image/png, image/jpeg, image/gif, image/webp' };
      const answer = await this.#egress.request({
        url,
        purpose: 'content',
        headers,
        timeoutMs,
        maxBytes,
        signal,
      });
      if (answer.status === 200) return answer.body;
      throw ImageUnusable(`The address of the image answers with status ${answer.status}.`);
    } catch (error) {
      throw error instanceof OutboundError && error.failure !== 'aborted' ? problemOf(error) : error;
    }
  }
}

export const IMAGE_FETCHER = token<ImageFetcher>('llm:image-fetcher');

/** One sentence for a name that leads inside, one that does not exist and a port that is closed: users must not tell them apart. */
const OUT_OF_REACH =
  'The image cannot be fetched. Its server cannot be reached, or the egress policy does not allow where its name leads. ' +
  'Use another address, or ask the operator about EGRESS_ALLOW.';

function problemOf(error: OutboundError) {
  const isOutOfReach = error.failure === 'egress_denied' || error.failure === 'unreachable';
  const description = isOutOfReach ? OUT_OF_REACH : `The image cannot be fetched. ${error.message}`;
  return ImageUnusable(description, { cause: error });
}
