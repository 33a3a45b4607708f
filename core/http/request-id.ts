import { newId } from '../support/ids.ts';
import { HttpRequest, type ServerParts } from './request.ts';
import type { StepContext } from './state.ts';

const UNSAFE = /[^A-Za-z0-9._:@+=~-]/g;
const LONGEST = 128;

/** Creates the request object; logs and the answer carry its id. */
export function identify(ctx: StepContext, server: ServerParts): void {
  const id = requestId(ctx.req.headers['x-request-id']);
  ctx.state.request = new HttpRequest(ctx.req, id, server, ctx.state.traceparent);
  ctx.set('X-Request-Id', id);
}

/** What is safe for log lines and headers of the client's id, or a new one. */
function requestId(header: string | string[] | undefined): string {
  if (typeof header !== 'string') return newId();
  return header.replace(UNSAFE, '').slice(0, LONGEST) || newId();
}
