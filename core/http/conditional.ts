import type { StepContext } from './state.ts';

/**
 * Answers 304 without content and returns true where the client has the answer already (RFC 9110, 13.1.2).
 * `koa-conditional-get` does not work here: it honours `Cache-Control: no-cache`, which `fetch` adds to every request with
 * `If-None-Match`.
 */
export function answerNotModified(ctx: StepContext): boolean {
  const known = ctx.get('If-None-Match');
  if (known === '' || ctx.status !== 200 || !['GET', 'HEAD'].includes(ctx.method)) return false;
  const etag = ctx.res.getHeader('ETag');
  if (typeof etag !== 'string' || !names(known, etag)) return false;
  ctx.status = 304;
  ctx.body = null;
  return true;
}

function names(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
