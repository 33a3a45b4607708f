import { OutboundError, token, type Egress } from '../../../core/index.ts';
import type { Image } from '../contract.ts';
import { ImageUnusable } from '../problems.ts';
import { base64In } from './data-url.ts';
import { imageFrom, MAX_IMAGE_BYTES } from './image.ts';

/** An image of ten megabytes comes within this time over 10 Mbit/s, and the model still has most of its own. */
const TIMEOUT_MS = 10_000;

/**
 * Fetches images that users point at, through the egress guard and within bounds of time, bytes and pixels. A data URL holds
 * the image itself, so nothing is asked for.
 */
export class ImageFetcher {
  readonly #egress: Egress;
  readonly #maxBytes: number;

  /** Refuses images of more than `maxBytes`. */
  constructor(egress: Egress, maxBytes = MAX_IMAGE_BYTES) {
    this.#egress = egress;
    this.#maxBytes = maxBytes;
  }

  /** Throws `EgressDenied` for an address that is refused as it stands, and `ImageUnusable` for a data URL that is too long. */
  check(url: string): void {
    const base64 = base64In(url);
    if (base64 === undefined) return this.#egress.check(url, 'content');
    const bytes = Buffer.byteLength(base64, 'base64');
    if (bytes <= this.#maxBytes) return;
    throw ImageUnusable(`The image has ${bytes} bytes; at most ${this.#maxBytes} are taken. Scale it down.`);
  }

  /** Throws `ImageUnusable`, which does not say whether a name leads inside. */
  async fetch(url: string, signal: AbortSignal): Promise<Image> {
    const base64 = base64In(url);
    return imageFrom(base64 === undefined ? await this.#bytesAt(url, signal) : bytesOf(base64));
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

/** Throws `ImageUnusable` where characters are no base64, which Node would skip. */
function bytesOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === Buffer.byteLength(base64, 'base64')) return bytes;
  throw ImageUnusable('What follows the comma of the data URL is not base64.');
}

/** One sentence for a name that leads inside, one that does not exist and a port that is closed: users must not tell them apart. */
const OUT_OF_REACH =
  'The image cannot be fetched. Its server cannot be reached, or the egress policy does not allow where its name leads. ' +
  'Use another address, or ask the operator about EGRESS_ALLOW.';

function problemOf(error: OutboundError) {
  const isOutOfReach = error.failure === 'egress_denied' || error.failure === 'unreachable';
  const description = isOutOfReach ? OUT_OF_REACH : `The image cannot be fetched. ${error.message}`;
  return ImageUnusable(description, { cause: error });
}
