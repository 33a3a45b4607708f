import type { Step } from './state.ts';

/**
 * Answers 304 without content where the client has the answer already (RFC 9110, 13.1.2). `koa-conditional-get` does not
 * work here: it honours `Cache-Control: no-cache`, which `fetch` adds to every request with `If-None-Match`.
 */
export const conditionalGet: Step = async (ctx, next) => {
  await next();
  const known = ctx.get('If-None-Match');
  if (known === '' || ctx.status !== 200 || !['GET', 'HEAD'].includes(ctx.method)) return;
  const etag = ctx.res.getHeader('ETag');
  if (typeof etag !== 'string' || !names(known, etag)) return;
  ctx.status = 304;
  ctx.body = null;
};

function names(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
}
