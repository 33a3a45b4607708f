import type { IncomingMessage } from 'node:http';
import { MalformedRequest } from '../errors/problems.ts';
import type { Step } from './state.ts';

/** When one of these fields is repeated, Node keeps the first value and a proxy may keep the last. */
const SINGLE = new Set(['host', 'authorization', 'x-api-key', 'content-type']);

/** Refuses with 400 what a proxy may read differently: other versions of HTTP, and repeated fields of which one value counts. */
export const refuseAmbiguous: Step = (ctx, next) => {
  const { req } = ctx;
  const twice = fieldGivenTwice(req);
  if (req.httpVersionMajor === 1 && twice === undefined) return next();
  ctx.set('Connection', 'close');
  throw MalformedRequest(
    twice === undefined
      ? `HTTP/${req.httpVersion} is not served. Send HTTP/1.1.`
      : `The header field "${twice}" is given twice. Send it once.`,
  );
};

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
