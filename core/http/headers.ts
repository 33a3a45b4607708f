/**
 * The headers of every answer, which protect users who open it in a browser: nothing is cached, framed or sniffed unless the
 * handler's own headers say otherwise.
 */
export const everyAnswer: Map<string, string> = new Map([
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cache-Control', 'no-store'],
]);
