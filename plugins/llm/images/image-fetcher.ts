import { OutboundError, token, type Egress } from '../../../core/index.ts';
import type { Image } from '../contract.ts';
import { ImageUnusable } from '../problems.ts';
import { imageFrom } from './image.ts';

/** An image of ten megabytes comes within this time over 10 Mbit/s, and the model still has most of its own. */
const TIMEOUT_MS = 10_000;

/** Fetches images that users point at, through the egress guard and within bounds of time, bytes and pixels. */
export class ImageFetcher {
  readonly #egress: Egress;
  readonly #maxBytes: number;

  /** Refuses images of more than `maxBytes`. */
  constructor(egress: Egress, maxBytes: number) {
    this.#egress = egress;
    this.#maxBytes = maxBytes;
  }

  /** Throws `EgressDenied` for an address that is refused as it stands. */
  check(url: string): void {
    this.#egress.check(url, 'content');
  }

  /** Throws `ImageUnusable`, which does not say whether a name leads inside. */
  async fetch(url: string, signal: AbortSignal): Promise<Image> {
    return imageFrom(await this.#bytesAt(url, signal));
  }

  async #bytesAt(url: string, signal: AbortSignal): Promise<Buffer> {
    try {
      const headers = { accept: 'image/png, image/jpeg, image/gif, image/webp' };
      const answer = await this.#egress.request({
        url,
        purpose: 'content',
        headers,
        timeoutMs: TIMEOUT_MS,
        maxBytes: this.#maxBytes,
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
