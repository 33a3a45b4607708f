import { newId } from '../support/ids.ts';
import { HttpRequest, type ServerParts } from './request.ts';
import type { StepContext } from './state.ts';

const CLEAN_ID = /^[A-Za-z0-9._:@+=~-]{1,128}$/;

/** Creates the request object; logs and the answer carry its id. */
export function identify(ctx: StepContext, server: ServerParts): void {
  const id = requestId(ctx.req.headers['x-request-id']);
  ctx.state.request = new HttpRequest(ctx.req, id, server, ctx.state.traceparent);
  ctx.set('X-Request-Id', id);
}

/** The client's id when it is safe for log lines and headers, or a new one. */
function requestId(header: string | string[] | undefined): string {
  if (typeof header !== 'string') return newId();
  if (CLEAN_ID.test(header)) return header;
  return header.replace(/[^A-Za-z0-9._:@+=~-]/g, '').slice(0, 128) || newId();
}
