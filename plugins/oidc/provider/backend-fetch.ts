import type { BackendClient } from '../../../core/index.ts';

const MAX_BYTES = 1024 * 1024;
/** `Response` refuses a body with these. */
const EMPTY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

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
    const content = EMPTY_STATUSES.has(answer.status) ? null : new Uint8Array(answer.body);
    return new Response(content, { status: answer.status, headers: answer.headers });
  };
}
