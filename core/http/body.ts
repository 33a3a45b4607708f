import koaBody, { HttpMethodEnum } from 'koa-body';
import { MalformedJson, PayloadTooLarge, RequestTimeout, UnsupportedMediaType } from '../errors/problems.ts';
import { setDeadline } from '../support/deadline.ts';
import type { BodyBudget } from './body-budget.ts';
import { demandJson, parseJson } from './json/body.ts';
import type { StepContext } from './state.ts';
import { hasBody } from './unread-body.ts';

/** What holds for the body of an operation. */
export interface BodyLimits {
  /** Bytes. */
  readonly bodyLimit: number;
  /** How long it may take to arrive, in milliseconds; undefined where the deadline of all requests is enough. */
  readonly bodyTimeoutMs: number | undefined;
}

/** Reads and parses the body of a request. Throws `Problem`. */
export type ReadBody = (ctx: StepContext) => Promise<unknown>;

/** What is common to all readers: methods that may have a body, and no reading that is not asked for. */
export const withBody = {
  json: false,
  urlencoded: false,
  text: false,
  parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE],
};

/** Makes the reader for one operation's JSON bodies. */
export function jsonBody(limits: BodyLimits, budget: BodyBudget): ReadBody {
  const read = koaBody({
    ...withBody,
    text: true,
    textTypes: ['application/json'],
    textLimit: limits.bodyLimit,
    // A character for each byte: as UTF-8 the text would not show where bytes were replaced, or a byte order mark dropped.
    encoding: 'binary',
  });
  return async (ctx) => {
    if (!hasBody(ctx.req)) throw MalformedJson('The body is empty. Send one JSON value.');
    demandJson(ctx.req);
    await interruptible(ctx, limits, budget, () => read(ctx, async () => undefined));
    const { body: text } = ctx.request;
    if (typeof text !== 'string')
      throw UnsupportedMediaType('The media type cannot be read. Send application/json.');
    return parseJson(Buffer.from(text, 'binary'));
  };
}

/** Reads a body until it is there, its time is over, or the budget for all bodies is used up. */
async function interruptible(
  ctx: StepContext,
  { bodyLimit, bodyTimeoutMs }: BodyLimits,
  budget: BodyBudget,
  read: () => Promise<unknown>,
): Promise<void> {
  let end = (): void => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    const arrived = budget.count(ctx, reject);
    const callOff = bodyTimeoutMs && setDeadline(bodyTimeoutMs, () => reject(tooSlow(bodyTimeoutMs)));
    end = () => {
      arrived();
      if (callOff) callOff();
    };
  });
  try {
    await Promise.race([read(), interrupted]);
  } catch (error) {
    // Otherwise koa-body would go on gathering a body that is refused.
    ctx.req.removeAllListeners('data').pause();
    throw isTooLarge(error) ? PayloadTooLarge(`The body exceeds the limit of ${bodyLimit} bytes.`) : error;
  } finally {
    end();
  }
}

/** The way in which koa-body's readers say that a limit was exceeded. */
export function isTooLarge(error: unknown): boolean {
  const { status, httpCode } = (error ?? {}) as { status?: unknown; httpCode?: unknown };
  return status === PayloadTooLarge.status || httpCode === PayloadTooLarge.status;
}

function tooSlow(timeoutMs: number): Error {
  return RequestTimeout(`The body did not arrive within ${timeoutMs / 1000} s.`);
}
