import type { IncomingMessage } from 'node:http';
import type { CredentialSource } from '../auth/verifier.ts';
import { randomHex } from '../support/ids.ts';
import type { ClientAddress } from './client-address.ts';
import { signalOf } from './connections.ts';
import type { PublicUrl } from './public-url.ts';
import { targetPath } from './routing/request-target.ts';
import type { RequestInfo } from './routing/route.ts';

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** What all requests of a server share: how its settings read addresses, and when it stops. */
export interface ServerParts {
  readonly clientAddress: ClientAddress;
  readonly publicUrl: PublicUrl;
  /** Aborts when the server begins to stop. */
  readonly stopping: AbortSignal;
}

/** What handlers and verifiers may know of a request. Everything but the id is computed on first use. */
export class HttpRequest implements RequestInfo, CredentialSource {
  readonly id: string;
  readonly method: string;
  readonly #target: string;
  readonly #req: IncomingMessage;
  readonly #server: ServerParts;
  /** Cached, because verifiers use the text as a key and V8 hashes each copy again. Null without a bearer token. */
  #bearer: string | null | undefined;
  #ip: string | undefined;
  #traceparent: string | undefined;

  /** `traceparent`: the span of this request, where it has one. */
  constructor(req: IncomingMessage, id: string, server: ServerParts, traceparent?: string) {
    this.#req = req;
    this.#server = server;
    this.method = req.method ?? 'GET';
    this.#target = req.url ?? '/';
    this.id = id;
    this.#traceparent = traceparent;
  }

  get ip(): string {
    this.#ip ??= this.#server.clientAddress(this.#req.socket.remoteAddress ?? '', this);
    return this.#ip;
  }

  get publicUrl(): URL {
    return this.#server.publicUrl(this.#req.socket.remoteAddress ?? '', this);
  }

  get path(): string {
    return targetPath(this.#target);
  }

  get bearer(): string | undefined {
    if (this.#bearer === undefined) this.#bearer = bearerIn(this.header('authorization')) ?? null;
    return this.#bearer ?? undefined;
  }

  get traceparent(): string {
    this.#traceparent ??= continueTrace(this.header('traceparent'));
    return this.#traceparent;
  }

  get signal(): AbortSignal {
    return signalOf(this.#req.socket);
  }

  get stopping(): AbortSignal {
    return this.#server.stopping;
  }

  /** Bound to the request, so that handlers and verifiers may take it out: `({ request: { header } }) => …`. */
  readonly header = (name: string): string | undefined => {
    const value = this.#req.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  };
}

/** Continues the client's trace with this request as the parent (W3C Trace Context), or starts a new trace. */
function continueTrace(header: string | undefined): string {
  const span = randomHex(16);
  const match = header === undefined ? null : TRACEPARENT.exec(header);
  return match ? `00-${match[1]}-${span}-${match[2]}` : `00-${randomHex(32)}-${span}-01`;
}

const BEARER = /^bearer(?: |$)/i;

/** The token after `Bearer` in a header `Authorization`; empty when it is missing, undefined for another scheme. */
export function bearerIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !BEARER.test(authorization)) return undefined;
  return authorization.slice('bearer '.length).trim();
}
