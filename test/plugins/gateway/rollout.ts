import { DATABASE, type Engine } from '../../../core/index.ts';
import type { TestResponse } from '../../../core/testing.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startGateway, type GatewayOptions, type GatewayUnderTest } from './support.ts';

export interface RolloutVersions {
  readonly stable: string;
  readonly canary: string;
}

/** What a call shows of the route it took. */
export interface Answered {
  readonly status: number;
  readonly version: string;
  readonly from: string;
  readonly route: unknown;
}

/** A gateway before an algorithm that has a stable version and a canary, each with an endpoint of its own. */
export interface Rollout extends GatewayUnderTest {
  readonly versions: RolloutVersions;
  /** Of the route. */
  readonly path: string;
  readonly algorithmPath: string;
  /** The canary answers with this status from now on; 0: not at all. */
  breakCanary(status: number): void;
  readonly canaryEndpoint: Upstream;
  addVersion(url?: string): Promise<string>;
  /** Sets the share of the canary; the stable version gets the rest. */
  setCanary(percent: number, more?: object): Promise<TestResponse['body']>;
  rollBack(): Promise<TestResponse['body']>;
  promote(): Promise<TestResponse['body']>;
  route(): Promise<TestResponse['body']>;
  /** Calls the version `default`, as the caller or with another token. */
  callDefault(more?: object, token?: string): Promise<TestResponse>;
  /** What `answered` says of a call that the canary got. */
  byCanary(): Answered;
  byStable(): Answered;
  /** Which version somebody would get, by the dry run. */
  versionFor(userId: string): Promise<string>;
  versionsFor(userIds: readonly string[]): Promise<readonly string[]>;
}

/** The id of one of many. */
export function somebody(number: number): string {
  return `01890000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** Users of every rollout, who never sign in. */
export const people = Array.from({ length: 200 }, (_, number) => somebody(number + 1));

export function answered({ status, headers, body }: TestResponse): Answered {
  return {
    status,
    version: body.version_id,
    from: body.output_data?.from,
    route: headers['x-vitrine-route'],
  };
}

async function addPeople(gateway: GatewayUnderTest): Promise<void> {
  const now = new Date().toISOString();
  const rows = people.map((id, number) => ({
    id,
    username: `person-${number}`,
    username_key: `person-${number}`,
    email: `person-${number}@example.org`,
    email_key: `person-${number}@example.org`,
    password_hash: '',
    role: 'user',
    status: 'active',
    tokens_after: '',
    created_at: now,
    updated_at: now,
  }));
  await gateway.get(DATABASE).knex.batchInsert('users_users', rows, 50);
}

export async function startRollout(engine: Engine, options: GatewayOptions = {}): Promise<Rollout> {
  let status = 200;
  const canaryEndpoint = await startUpstream((_request, response) => {
    if (status === 200) return { from: 'canary' };
    if (status !== 0) response.writeHead(status).end();
  });
  const upstream = await startUpstream(() => ({ from: 'stable' }));
  const gateway = await startGateway(engine, {
    ...options,
    upstream,
    gateway: { rate_limit: 0, ...options.gateway },
  });
  await addPeople(gateway);
  let labels = 1;
  const addVersion = async (url = canaryEndpoint.url): Promise<string> => {
    const path = `/algorithms/${gateway.target.algorithm_id}/versions`;
    return (await gateway.manage('POST', path, { version: `v${++labels}`, url })).id;
  };
  let versions = { stable: gateway.target.version_id, canary: await addVersion() };
  const path = (): string => `/gateway/routes/${gateway.target.algorithm_id}`;
  const versionFor = async (userId: string): Promise<string> => {
    const body = { algorithm_id: gateway.target.algorithm_id, version_id: 'default', user_id: userId };
    return (await gateway.manage('POST', '/gateway/check', body)).chosen.version_id;
  };
  return {
    ...gateway,
    get target() {
      return gateway.target;
    },
    get caller() {
      return gateway.caller;
    },
    get versions() {
      return versions;
    },
    get path() {
      return path();
    },
    get algorithmPath() {
      return `/algorithms/${gateway.target.algorithm_id}`;
    },
    byCanary: () => ({ status: 200, version: versions.canary, from: 'canary', route: 'canary' }),
    byStable: () => ({ status: 200, version: versions.stable, from: 'stable', route: 'stable' }),
    canaryEndpoint,
    addVersion,
    breakCanary: (to) => void (status = to),
    setCanary: (percent, more = {}) => {
      const { stable, canary } = versions;
      const shares = [
        { version_id: stable, percent: 100 - percent },
        { version_id: canary, percent },
      ];
      return gateway.manage('PUT', path(), { versions: shares, ...more });
    },
    rollBack: () => gateway.manage('POST', `${path()}/rollback`, {}),
    promote: () => gateway.manage('POST', `${path()}/promote`, {}),
    route: () => gateway.manage('GET', path()),
    callDefault: (more, token) => gateway.call({ version_id: 'default', ...more }, token),
    versionFor,
    versionsFor: (userIds) => Promise.all(userIds.map(versionFor)),
    renew: async () => {
      await gateway.renew();
      status = 200;
      versions = { stable: gateway.target.version_id, canary: await addVersion() };
      upstream.requests.length = 0;
      canaryEndpoint.requests.length = 0;
    },
    stop: async () => {
      await gateway.stop();
      await canaryEndpoint.stop();
    },
  };
}
