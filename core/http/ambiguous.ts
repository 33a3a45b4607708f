import type { IncomingMessage } from 'node:http';
import { MalformedRequest } from '../errors/core-problems.ts';
import type { Step } from './state.ts';

/** When one of these fields is repeated, Node keeps the first value and a proxy may keep the last. */
const SINGLE = new Set(['host', 'authorization', 'x-api-key', 'content-type']);

/**
 * Refuses with 400 what a proxy may read differently: other versions of HTTP, requests without a host, and repeated fields of
 * which one value counts.
 */
export const refuseAmbiguous: Step = (ctx, next) => {
  const fault = faultOf(ctx.req);
  if (fault === undefined) return next();
  ctx.set('Connection', 'close');
  throw MalformedRequest(fault);
};

function faultOf(req: IncomingMessage): string | undefined {
  const { httpVersion, headers } = req;
  if (req.httpVersionMajor !== 1) return `HTTP/${httpVersion} is not served. Send HTTP/1.1.`;
  if (headers.host === undefined && httpVersion === '1.1')
    return 'The header field "host" is missing. Send it.';
  const twice = fieldGivenTwice(req);
  return twice && `The header field "${twice}" is given twice. Send it once.`;
}

function fieldGivenTwice({ rawHeaders }: IncomingMessage): string | undefined {
  const seen: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.includes(name)) return name;
    seen.push(name);
  }
  return undefined;
}
