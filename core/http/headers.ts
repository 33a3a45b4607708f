import type { Step } from './state.ts';

/** Nothing is cached, framed or sniffed unless the handler's own headers say otherwise. */
export const everyAnswer: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
};

/** Sets the headers that protect users who open an answer in a browser. */
export const securityHeaders: Step = (ctx, next) => {
  ctx.set(everyAnswer);
  return next();
};
