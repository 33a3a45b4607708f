import cors from '@koa/cors';
import { withoutCredentials } from '../config/configuration.ts';
import type { Step } from './state.ts';

/** Request headers that the service and its plugins read. */
const REQUEST_HEADERS = 'Authorization, Content-Type, X-API-Key, X-Request-Id, traceparent, If-None-Match';
/** Answer headers that browsers do not expose by default. */
const ANSWER_HEADERS =
  'X-Request-Id, X-Call-Id, ETag, Link, X-Total-Count, Retry-After, RateLimit, RateLimit-Policy, X-Vitrine-Route, Deprecation, Allow, WWW-Authenticate, Content-Disposition';

/** Explains which origin no browser can send: browsers write host names in lower case and omit the default port. */
export function originComplaint(origins: readonly string[]): string | undefined {
  const wrong = origins.find((origin) => origin !== '*' && originOf(origin) !== origin);
  if (wrong === undefined) return undefined;
  const meant = originOf(wrong);
  return `holds "${withoutCredentials(wrong)}", which no browser sends${meant === undefined ? '' : `; write "${meant}"`}`;
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}

/** Lets pages of the origins use the API. Cookies are not allowed: sessions are for the service's own pages. */
export function crossOrigin(origins: readonly string[]): Step {
  const allowed = new Set(origins);
  return cors({
    origin: (ctx) => {
      const origin = ctx.get('Origin');
      if (origin === '') return '';
      if (allowed.has('*')) return '*';
      return allowed.has(origin) ? origin : '';
    },
    allowMethods: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ANSWER_HEADERS,
    maxAge: 600,
    // An outer step answers problems and leaves these headers in place.
    keepHeadersOnError: false,
  });
}
