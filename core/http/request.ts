import type { IncomingMessage } from 'node:http';
import { bearerIn } from '../auth/bearer.ts';
import type { CredentialSource } from '../auth/verifier.ts';
import { newId, randomHex } from '../support/ids.ts';
import type { ClientAddress } from './client-address.ts';
import { signalOf } from './connections.ts';
import type { RequestInfo } from './routing/route.ts';
import type { Step } from './state.ts';

const CLEAN_ID = /^[A-Za-z0-9._:@+=~-]{1,128}$/;
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** What handlers and verifiers may know of a request. Everything but the id is worked out when asked for. */
export class HttpRequest implements RequestInfo, CredentialSource {
  readonly id: string;
  readonly method: string;
  readonly #req: IncomingMessage;
  readonly #clientAddress: ClientAddress;
  /** Cut out once: verifiers look the text up, and V8 computes the hash of each copy anew. Null where there is none. */
  #bearer: string | null | undefined;
  #ip: string | undefined;
  #traceparent: string | undefined;

  constructor(req: IncomingMessage, address: ClientAddress) {
    this.#req = req;
    this.#clientAddress = address;
    this.method = req.method ?? 'GET';
    this.id = requestId(req.headers['x-request-id']);
  }

  get ip(): string {
    this.#ip ??= this.#clientAddress(this.#req.socket.remoteAddress ?? '', this);
    return this.#ip;
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

  header(name: string): string | undefined {
    const value = this.#req.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }
}

/** Begins the way of a request: whatever is told of it carries its id. */
export function identify(address: ClientAddress): Step {
  return (ctx, next) => {
    ctx.state.request = new HttpRequest(ctx.req, address);
    ctx.set('X-Request-Id', ctx.state.request.id);
    return next();
  };
}

/** The client's own id without anything that could spoil a log line or a header, or a new one. */
function requestId(header: string | string[] | undefined): string {
  if (typeof header !== 'string') return newId();
  if (CLEAN_ID.test(header)) return header;
  return header.replace(/[^A-Za-z0-9._:@+=~-]/g, '').slice(0, 128) || newId();
}

/** Keeps the trace and makes this request its newest parent (W3C Trace Context), or starts a trace. */
function continueTrace(header: string | undefined): string {
  const span = randomHex(16);
  const match = header === undefined ? null : TRACEPARENT.exec(header);
  return match ? `00-${match[1]}-${span}-${match[2]}` : `00-${randomHex(32)}-${span}-01`;
}
