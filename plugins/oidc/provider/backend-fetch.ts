import { OutboundError, type BackendClient, type OutboundResponse } from '../../../core/index.ts';

const MAX_BYTES = 1024 * 1024;
/** Those with which OpenID Connect answers; errors are JSON, too. */
const STATUSES: ReadonlySet<number> = new Set([200, 400, 401, 403]);

interface FetchOptions {
  readonly method?: string;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}

/** What `openid-client` and `jose` take for `fetch`. Throws `OutboundError`. */
export type BackendFetch = (url: string, options: FetchOptions) => Promise<Response>;

/** Sends the requests of the libraries through the client for servers of the operator. */
export function backendFetch(backends: BackendClient, timeoutMs: number): BackendFetch {
  return async (url, { method = 'GET', headers, body, signal }) => {
    const answer = await backends.request({
      url,
      method,
      headers: Object.fromEntries(new Headers(headers)),
      timeoutMs,
      maxBytes: MAX_BYTES,
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      ...(typeof body === 'string' && { body }),
      ...(signal && { signal }),
    });
    const fault = faultOf(answer);
    if (fault !== undefined)
      throw new OutboundError('bad_response', `${url.split('?')[0]} answers with ${fault}.`);
    return new Response(new Uint8Array(answer.body), { status: answer.status, headers: answer.headers });
  };
}

/** What the libraries would only call unexpected. */
function faultOf({ status, headers }: OutboundResponse): string | undefined {
  if (!STATUSES.has(status)) return `status ${status}`;
  return headers['content-type']?.includes('html') ? 'a web page instead of JSON' : undefined;
}
