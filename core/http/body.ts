import koaBody, { HttpMethodEnum } from 'koa-body';
import {
  MalformedJson,
  PayloadTooLarge,
  RequestTimeout,
  UnsupportedMediaType,
} from '../errors/core-problems.ts';
import { setDeadline } from '../support/deadline.ts';
import type { BodyBudget } from './body-budget.ts';
import { demandJson, parseJson } from './json/body.ts';
import { jsonLimits } from './json/limits.ts';
import type { StepContext } from './state.ts';
import { hasBody } from './unread-body.ts';

/** Limits for the body of an operation. */
export interface BodyLimits {
  /** In bytes. */
  readonly bodyLimit: number;
  /** How long the body may take to arrive, in milliseconds; undefined where the deadline of the whole request suffices. */
  readonly bodyTimeoutMs: number | undefined;
}

/** Reads and parses the body of a request. Throws `Problem`. */
export type ReadBody = (ctx: StepContext) => Promise<unknown>;

/** Options that all body readers share. */
export const withBody = {
  json: false,
  urlencoded: false,
  text: false,
  parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE],
};

/** Makes the reader for one operation's JSON bodies; `boundsIn` names fields with bounds that may be rounded. */
export function jsonBody(limits: BodyLimits, budget: BodyBudget, boundsIn?: readonly string[]): ReadBody {
  const read = koaBody({
    ...withBody,
    text: true,
    textTypes: ['application/json'],
    textLimit: limits.bodyLimit,
    // An empty encoding yields bytes. Decoded text would hide replaced bytes and a dropped byte order mark.
    encoding: '',
  });
  const parts = jsonLimits(limits.bodyLimit);
  return async (ctx) => {
    if (!hasBody(ctx.req)) throw MalformedJson('The body is empty. Send one JSON value.');
    demandJson(ctx.req);
    await interruptible(ctx, limits, budget, () => read(ctx, async () => undefined));
    const bytes: unknown = ctx.request.body;
    if (!Buffer.isBuffer(bytes)) {
      throw UnsupportedMediaType('The media type cannot be read. Send application/json.');
    }
    return parseJson(bytes, parts, boundsIn);
  };
}

/** Reads a body until it is complete, its deadline passes, or the budget for all bodies is exhausted. */
async function interruptible(
  ctx: StepContext,
  { bodyLimit, bodyTimeoutMs }: BodyLimits,
  budget: BodyBudget,
  read: () => Promise<unknown>,
): Promise<void> {
  let end = (_hasArrived: boolean): void => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    const arrived = budget.count(ctx, reject);
    const cancelDeadline = bodyTimeoutMs && setDeadline(bodyTimeoutMs, () => reject(tooSlow(bodyTimeoutMs)));
    end = (hasArrived) => {
      arrived(hasArrived);
      if (cancelDeadline) cancelDeadline();
    };
  });
  try {
    await Promise.race([read(), interrupted]);
    end(true);
  } catch (error) {
    // Otherwise koa-body would go on buffering a refused body.
    end(false);
    ctx.req.removeAllListeners('data').pause();
    throw isTooLarge(error) ? PayloadTooLarge(`The body exceeds the limit of ${bodyLimit} bytes.`) : error;
  }
}

/** Whether an error of koa-body's readers reports that a limit was exceeded. */
export function isTooLarge(error: unknown): boolean {
  const { status, httpCode } = (error ?? {}) as { status?: unknown; httpCode?: unknown };
  return status === PayloadTooLarge.status || httpCode === PayloadTooLarge.status;
}

function tooSlow(timeoutMs: number): Error {
  return RequestTimeout(`The body did not arrive within ${timeoutMs / 1000} s.`);
}
