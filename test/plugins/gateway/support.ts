import { expect } from 'chai';
import type { Engine } from '../../../core/index.ts';
import type { Scratch, TestResponse } from '../../../core/testing.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startVitrine, type SignedIn, type Vitrine, type VitrineOptions } from '../../support/vitrine.ts';

const PLUGINS = ['users', 'api-keys', 'catalogue', 'invocation', 'gateway'];

export interface CallTarget {
  readonly algorithm_id: string;
  readonly version_id: string;
}

/** A service with a gateway, an endpoint behind it and somebody who calls. */
export interface GatewayUnderTest extends Vitrine {
  readonly upstream: Upstream;
  readonly target: CallTarget;
  readonly caller: SignedIn;
  /** Another caller, another algorithm, no rules: as good as new, and quicker. The counters go on. */
  renew(): Promise<void>;
  readonly adminToken: string;
  body(more?: object): object;
  /** Calls as the caller, or with another token. */
  call(more?: object, token?: string): Promise<TestResponse>;
  /** Calls as the caller. What it returns makes the client leave before the answer. */
  callAndLeave(): () => Promise<void>;
  /** Sends as the administrator; the answer must be 200. */
  manage(method: string, path: string, body?: object): Promise<TestResponse['body']>;
  stats(): Promise<TestResponse['body']>;
  apiKey(restrictions?: object): Promise<{ readonly id: string; readonly key: string }>;
  /** An algorithm with one version, at the endpoint or elsewhere. */
  addAlgorithm(more?: { readonly access?: string; readonly url?: string }): Promise<CallTarget>;
}

/** A further instance on the database of another one. */
export function startPeer(
  scratch: Scratch,
  engine: Engine,
  gateway: Readonly<Record<string, unknown>> = {},
): Promise<Vitrine> {
  return startVitrine(engine, { plugins: PLUGINS, scratch, settings: { gateway } });
}

export interface GatewayOptions extends VitrineOptions {
  readonly upstream?: Upstream;
  /** Settings of the gateway. */
  readonly gateway?: Readonly<Record<string, unknown>>;
}

/** Boots the plugins that the gateway stands on, with a caller and an algorithm. */
export async function startGateway(engine: Engine, options: GatewayOptions = {}): Promise<GatewayUnderTest> {
  const { upstream = await startUpstream(), gateway = {}, ...rest } = options;
  const settings = { ...rest.settings, gateway };
  const vitrine = await startVitrine(engine, { plugins: PLUGINS, ...rest, settings });
  const admin = await vitrine.admin();
  const caller = await vitrine.user('caller');
  const manage: GatewayUnderTest['manage'] = async (method, path, body) => {
    const answer = await vitrine.request(method, path, { token: admin.token, body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const addAlgorithm: GatewayUnderTest['addAlgorithm'] = async ({
    access = 'open',
    url = upstream.url,
  } = {}) => {
    const fields = { name: 'echo', description: 'answers its input', type: 'test', access };
    const algorithm = await manage('POST', '/algorithms', fields);
    const version = await manage('POST', `/algorithms/${algorithm.id}/versions`, { version: '1', url });
    return { algorithm_id: algorithm.id as string, version_id: version.id as string };
  };
  let number = 1;
  let target = await addAlgorithm();
  let current = caller;
  const body = (more: object = {}): object => ({ ...target, input_data: {}, ...more });
  return {
    ...vitrine,
    upstream,
    get target() {
      return target;
    },
    get caller() {
      return current;
    },
    renew: async () => {
      for (const rules of ['policies', 'blocks']) {
        const listed = await manage('GET', `/gateway/${rules}`);
        for (const { id } of listed[rules]) await manage('DELETE', `/gateway/${rules}/${id}`);
      }
      target = await addAlgorithm();
      current = await vitrine.user(`caller-${++number}`);
    },
    adminToken: admin.token,
    body,
    manage,
    addAlgorithm,
    call: (more, token = current.token) =>
      vitrine.request('POST', '/gateway/call', { token, body: body(more) }),
    callAndLeave: () => {
      const leaving = new AbortController();
      const gone = fetch(`${vitrine.baseUrl}/gateway/call`, {
        method: 'POST',
        signal: leaving.signal,
        headers: { authorization: `Bearer ${current.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body()),
      }).catch((error: Error) => error.name);
      return async () => {
        leaving.abort();
        expect(await gone).to.equal('AbortError');
      };
    },
    stats: async () => (await vitrine.request('GET', '/gateway/stats', { token: current.token })).body,
    apiKey: async (restrictions = {}) => {
      const fields = { name: 'key', expires_at: '2099-01-01T00:00:00Z', ...restrictions };
      return (await vitrine.request('POST', '/api-keys', { token: current.token, body: fields })).body;
    },
    stop: async () => {
      await vitrine.stop();
      await upstream.stop();
    },
  };
}
