import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the service and its plugins read. */
const REQUEST_HEADERS = 'Authorization, Content-Type, X-API-Key, X-Request-Id, traceparent, If-None-Match';
/** What they answer, beside what browsers show anyway. */
const ANSWER_HEADERS =
  'X-Request-Id, X-Call-Id, ETag, Retry-After, RateLimit, RateLimit-Policy, X-Vitrine-Route, Deprecation, Allow, WWW-Authenticate';

/** Why a page could not come from one of the origins: browsers send host names in lower case, and no usual port. */
export function originComplaint(origins: readonly string[]): string | undefined {
  const wrong = origins.find((origin) => origin !== '*' && originOf(origin) !== origin);
  if (wrong === undefined) return undefined;
  const meant = originOf(wrong);
  return `holds "${wrong}", which no browser sends${meant === undefined ? '' : `; write "${meant}"`}`;
}

function originOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}

/** Lets pages of configured origins use the API. Credentials are headers, never cookies, so none are allowed along. */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  get isOff(): boolean {
    return this.#origins.size === 0;
  }

  /** Adds the headers that let the page read the answer. */
  mark(req: IncomingMessage, res: ServerResponse): void {
    if (this.isOff) return;
    const allowed = this.#allowed(req);
    if (!this.#origins.has('*')) res.setHeader('Vary', 'Origin');
    if (allowed === undefined) return;
    res.setHeader('Access-Control-Allow-Origin', allowed);
    res.setHeader('Access-Control-Expose-Headers', ANSWER_HEADERS);
  }

  /** The headers that answer a preflight request, or undefined when this is none from a configured origin. */
  preflight(req: IncomingMessage, methods: readonly string[]): Readonly<Record<string, string>> | undefined {
    const asks = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
    if (!asks || this.#allowed(req) === undefined) return undefined;
    return {
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': '600',
    };
  }

  #allowed(req: IncomingMessage): string | undefined {
    const { origin } = req.headers;
    if (origin === undefined) return undefined;
    if (this.#origins.has('*')) return '*';
    return this.#origins.has(origin) ? origin : undefined;
  }
}
