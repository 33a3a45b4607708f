import koaCompress from 'koa-compress';
import type { StepContext } from './state.ts';

/** In bytes. A connection sends about 14 KiB in its first round trip, so compressing less gains no time. */
const THRESHOLD = 16_384;

/** Compresses large answers, such as scripts and lists, for clients that accept it. Streams are not compressed. */
export function compression(): (ctx: StepContext) => Promise<void> | void {
  const compress = koaCompress({ threshold: THRESHOLD });
  return (ctx) => {
    // koa-compress adds `Vary` to every answer that it handles, so small ones skip it.
    if ((ctx.length ?? 0) < THRESHOLD) return undefined;
    if (acceptsSome(ctx)) return compress(ctx, async () => undefined);
    ctx.vary('Accept-Encoding');
  };
}

/** koa-compress fails for a client that accepts no encoding at all, not even the plain content, as with `*;q=0`. */
function acceptsSome(ctx: StepContext): boolean {
  if (ctx.req.headers['accept-encoding'] === undefined) return false;
  return ctx.acceptsEncodings('br', 'gzip', 'deflate', 'identity') !== false;
}
