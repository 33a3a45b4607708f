import type { IncomingMessage } from 'node:http';
import { MalformedJson, Overloaded, PayloadTooLarge } from '../errors/problems.ts';

/** The client went away while it sent its body: there is nobody to answer. */
export class ClientGone extends Error {}

/** Bodies up to this size are read whatever else arrives, so that a few slow uploads cannot keep everybody out. */
const ALWAYS_ROOM = 65_536;

/** Reads bodies within a limit each and a budget of memory for all that are arriving. */
export class BodyReader {
  readonly #budget: number;
  #held = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Throws `PayloadTooLarge` as soon as the body is known to exceed `limit`, and `ClientGone`. */
  async read(req: IncomingMessage, limit: number): Promise<Buffer> {
    const announced = Number(req.headers['content-length'] ?? 0);
    if (announced > limit) throw tooLarge(limit);
    let taken = 0;
    const take = (bytes: number): void => {
      taken += bytes;
      this.#held += bytes;
      if (taken > limit) throw tooLarge(limit);
      if (this.#held > this.#budget && taken > ALWAYS_ROOM) throw tooMuchAtOnce();
    };
    try {
      return await collect(req, take);
    } finally {
      this.#held -= taken;
    }
  }
}

function collect(req: IncomingMessage, take: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const settle = (finish: () => void): void => {
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      finish();
    };
    if (req.destroyed) {
      reject(new ClientGone('The client closed the connection.'));
      return;
    }
    const onData = (chunk: Buffer): void => {
      try {
        take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        req.pause();
        settle(() => reject(error as Error));
      }
    };
    const onEnd = (): void => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    const onClose = (): void => settle(() => reject(new ClientGone('The client closed the connection.')));
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function tooLarge(limit: number): Error {
  return PayloadTooLarge(`The body exceeds the limit of ${limit} bytes.`);
}

function tooMuchAtOnce(): Error {
  return Overloaded('Too many large bodies are arriving at once. Try again in a second.', {
    headers: { 'Retry-After': '1' },
  });
}

/** Whether the request announces a body at all. */
export function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
}

/** Throws `MalformedJson` for a request without a body. */
export function demandBody(req: IncomingMessage): void {
  if (!hasBody(req)) throw MalformedJson('The body is empty. Send one JSON value.');
}
