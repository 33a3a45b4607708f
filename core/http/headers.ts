import type { Step } from './state.ts';

/** Nothing is cached, framed or sniffed unless the handler's own headers say otherwise. */
export const everyAnswer: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
};

/** Gives every answer the headers that protect those who read it in a browser. */
export const securityHeaders: Step = (ctx, next) => {
  ctx.set(everyAnswer);
  return next();
};
