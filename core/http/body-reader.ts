import type { IncomingMessage } from 'node:http';
import { MalformedJson, Overloaded, PayloadTooLarge, RequestTimeout } from '../errors/problems.ts';
import { Blocks } from '../support/blocks.ts';
import { BodyCollector } from '../support/body-collector.ts';
import { ReadGarbage } from '../support/collect-young.ts';
import { setDeadline } from '../support/deadline.ts';
import type { Operation } from './routing/operation.ts';

/** The client went away while it sent its body: there is nobody to answer. */
export class ClientGone extends Error {}

/** Bodies up to this size are read whatever else is held, so that a few slow uploads or calls cannot keep everybody out. */
const ALWAYS_ROOM = 65_536;

/** Large bodies that are worked on may be so many times what may be arriving: whoever sent them is being served. */
const WORKED_ON = 4;

type BodyBounds = Pick<Operation, 'bodyLimit' | 'bodyTimeoutMs'>;

/** Reads bodies within a limit each and a budget of memory for all that arrive, and for large ones until they are answered. */
export class BodyReader {
  readonly #budget: number;
  readonly #blocks = new Blocks();
  readonly #garbage = new ReadGarbage();
  #arriving = 0;
  #workedOn = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  /**
   * Throws `PayloadTooLarge` as soon as the body is known to exceed its limit, `RequestTimeout`, and `ClientGone`. What it
   * answers has to be given back with `release`.
   */
  async read(req: IncomingMessage, { bodyLimit: limit, bodyTimeoutMs }: BodyBounds): Promise<Buffer> {
    const announced = Number(req.headers['content-length'] ?? 0);
    if (announced > limit) throw tooLarge(limit);
    const body = new BodyCollector(limit, this.#blocks);
    const take = (chunk: Buffer): void => {
      if (!body.add(chunk)) throw tooLarge(limit);
      this.#arriving += chunk.length;
      if (body.length <= ALWAYS_ROOM) return;
      this.#garbage.add(chunk.length);
      if (this.#isFull) throw tooMuchAtOnce();
    };
    try {
      await takeAll(req, take, bodyTimeoutMs);
      this.#workedOn += shareOf(body.length);
      return body.body();
    } finally {
      this.#arriving -= body.length;
      body.release();
    }
  }

  /** To be told once the request with a body of `size` bytes is answered: until then something made of it is held. */
  release(size: number): void {
    this.#workedOn -= shareOf(size);
  }

  get #isFull(): boolean {
    return this.#arriving > this.#budget || this.#arriving + this.#workedOn > WORKED_ON * this.#budget;
  }
}

/** What a body holds of the budget after it has arrived. */
function shareOf(size: number): number {
  return size > ALWAYS_ROOM ? size : 0;
}

/** Hands over every chunk of a body; ends when the body does, or throws what `take` throws. */
function takeAll(
  req: IncomingMessage,
  take: (chunk: Buffer) => void,
  timeoutMs: number | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      callOff?.();
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      finish();
    };
    if (req.destroyed) {
      reject(new ClientGone('The client closed the connection.'));
      return;
    }
    const refuse = (error: Error): void => {
      req.pause();
      settle(() => reject(error));
    };
    const onData = (chunk: Buffer): void => {
      try {
        take(chunk);
      } catch (error) {
        refuse(error as Error);
      }
    };
    const onEnd = (): void => settle(resolve);
    const onClose = (): void => settle(() => reject(new ClientGone('The client closed the connection.')));
    const callOff = timeoutMs ? setDeadline(timeoutMs, () => refuse(tooSlow(timeoutMs))) : undefined;
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function tooLarge(limit: number): Error {
  return PayloadTooLarge(`The body exceeds the limit of ${limit} bytes.`);
}

function tooSlow(timeoutMs: number): Error {
  return RequestTimeout(`The body did not arrive within ${timeoutMs / 1000} s.`);
}

function tooMuchAtOnce(): Error {
  return Overloaded('Too many large bodies are arriving or worked on. Try again in a second.', {
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
