import {
  OutboundError,
  type BackendClient,
  type OutboundResponse,
  type Problem,
} from '../../../core/index.ts';
import type { ConfiguredServer } from '../configuration.ts';
import { CodeHostFailed, CodeHostTimeout, CodeHostTokenRefused } from '../../repositories/contract.ts';
import { refusalIn } from './answers.ts';

export interface GiteaRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, encoded. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Statuses that the caller handles; any other becomes a problem. */
  readonly expects: readonly number[];
}

/** An answer about one repository or user takes a few kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Milliseconds for one request: the server may have to make a repository on a slow disk, and an administrator waits. */
export const REQUEST_TIMEOUT_MS = 10_000;

const REDIRECTS = new Set([301, 302, 307, 308]);

/** Sends requests to one Gitea or Forgejo server. Its failures are the problems of code hosts. */
export class GiteaApi {
  readonly #server: ConfiguredServer;
  readonly #backends: BackendClient;
  readonly #timeoutMs: number;

  /** Gives up a request after `timeoutMs`. */
  constructor(server: ConfiguredServer, backends: BackendClient, timeoutMs = REQUEST_TIMEOUT_MS) {
    this.#server = server;
    this.#backends = backends;
    this.#timeoutMs = timeoutMs;
  }

  async ask(request: GiteaRequest): Promise<OutboundResponse> {
    const base = `${this.#server.url}/api/v1`;
    let answer = await this.#send(`${base}${request.path}`, request);
    if (REDIRECTS.has(answer.status)) answer = await this.#follow(base, answer, request);
    if (request.expects.includes(answer.status)) return answer;
    throw this.#refused(answer);
  }

  /**
   * A renamed repository redirects to its new path. What changes something is asked at that path alone. The token is sent
   * nowhere but to the same server's API.
   */
  async #follow(
    base: string,
    { headers }: OutboundResponse,
    request: GiteaRequest,
  ): Promise<OutboundResponse> {
    const location = headers['location'] ?? '';
    const target = URL.canParse(location, base) ? new URL(location, base).href : '';
    if (request.method === 'GET' && target.startsWith(`${new URL(base).href}/`))
      return this.#send(target, request);
    throw CodeHostFailed(
      'The code-hosting server sent us elsewhere, which is not followed. Configure the address that it answers at.',
    );
  }

  async #send(url: string, { method, body }: GiteaRequest): Promise<OutboundResponse> {
    try {
      return await this.#backends.request({
        url,
        method,
        headers: {
          accept: 'application/json',
          authorization: `token ${this.#server.accessToken}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        timeoutMs: this.#timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
      });
    } catch (error) {
      throw error instanceof OutboundError ? problemOf(error) : error;
    }
  }

  #refused({ status, body, retryAfter }: OutboundResponse): Problem {
    const said = refusalIn(body, this.#server.accessToken);
    const words = said === '' ? '' : ` It says: ${said}`;
    if (status === 401) {
      return CodeHostTokenRefused(
        `The code-hosting server does not accept the configured access token.${words}`,
      );
    }
    if (status === 403) {
      return CodeHostTokenRefused(
        `The configured access token lacks a scope or a right on the code-hosting server.${words}`,
      );
    }
    const when = retryAfter === undefined ? '' : ` Try again in ${retryAfter} s.`;
    const hint = status === 404 ? ` ${this.#whereItsApiIs()}` : '';
    return CodeHostFailed(`The code-hosting server answered with status ${status}.${words}${when}${hint}`);
  }

  #whereItsApiIs(): string {
    const { url } = this.#server;
    return `Its API is expected at ${url}/api/v1: is server_url, "${url}", the address of its start page?`;
  }
}

function problemOf(error: OutboundError): Problem {
  if (error.failure === 'timeout') {
    return CodeHostTimeout(
      'The code-hosting server did not answer in time. What was asked may still happen there: look before trying again.',
      { cause: error },
    );
  }
  // Only administrators ask for anything on the server.
  const reason = error.tlsReason === undefined ? '' : ` ${error.tlsReason}`;
  return CodeHostFailed(`The code-hosting server cannot be asked. ${error.message}${reason}`, {
    cause: error,
  });
}
