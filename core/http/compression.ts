import koaCompress from 'koa-compress';
import type { Step } from './state.ts';

/** A connection sends about 14 KiB in its first round trip, so compressing less gains no time. */
const THRESHOLD = 16_384;

/** Compresses large answers for clients that accept it: the console's scripts, lists, large outputs. Streams pass as they are. */
export function compression(): Step {
  const compress = koaCompress({ threshold: THRESHOLD });
  return async (ctx, next) => {
    await next();
    // Only then: koa-compress marks every answer that it sees with `Vary`.
    if ((ctx.length ?? 0) >= THRESHOLD) await compress(ctx, async () => undefined);
  };
}
