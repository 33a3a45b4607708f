import { expect } from 'chai';
import { TOKEN_ISSUER } from '../../../core/index.ts';
import type { Upstream } from '../../support/upstream.ts';
import type { SignedIn, Vitrine } from '../../support/vitrine.ts';

export type Caller =
  | 'nobody'
  | 'forged'
  | 'disabled'
  | 'user'
  | 'user session'
  | 'user key'
  | 'manager'
  | 'manager key'
  | 'admin'
  | 'admin session'
  | 'admin key';

export const CALLERS: readonly Caller[] = [
  'nobody',
  'forged',
  'disabled',
  'user',
  'user session',
  'user key',
  'manager',
  'manager key',
  'admin',
  'admin session',
  'admin key',
];

export const LATER = '2099-01-01T00:00:00Z';

let count = 0;
/** A name that nothing else has. */
export const unique = (): string => `x${(count += 1)}`;

/** A populated installation with every kind of caller in it. */
export interface World {
  readonly vitrine: Vitrine;
  readonly upstream: Upstream;
  readonly algorithm: string;
  readonly version: string;
  headersOf(caller: Caller): Record<string, string>;
  newAlgorithm(): Promise<string>;
  newVersion(): Promise<string>;
  newRepository(): Promise<string>;
  callOf(caller: Caller): Promise<string>;
  keyOf(caller: Caller): Promise<string>;
}

export async function populate(vitrine: Vitrine, upstream: Upstream): Promise<World> {
  const people: Record<string, SignedIn> = {
    admin: await vitrine.admin(),
    user: await vitrine.user('ursula'),
    manager: await vitrine.user('manfred'),
    disabled: await vitrine.user('dorothy'),
  };
  const admin = people['admin']!;
  const make = async (path: string, body: unknown, as = admin): Promise<Record<string, string>> => {
    const answer = await vitrine.request('POST', path, { body, token: as.token });
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).to.equal(200);
    return answer.body as Record<string, string>;
  };
  const newAlgorithm = async (): Promise<string> => {
    const { id } = await make('/algorithms', { name: unique(), description: 'd', type: 't' });
    await make('/permissions/grants', {
      algorithm_id: id,
      user_id: people['manager']!.id,
      permission_type: 'manage',
    });
    return id!;
  };
  const algorithm = await newAlgorithm();
  const newVersion = async (): Promise<string> =>
    (await make(`/algorithms/${algorithm}/versions`, { version: unique(), url: upstream.url }))['id']!;
  const version = await newVersion();
  const keys: Record<string, string> = {};
  for (const name of ['user', 'manager', 'admin']) {
    keys[name] = (await make('/api-keys', { name: 'k', expires_at: LATER }, people[name]))['key']!;
  }
  const disabling = { token: admin.token, body: { status: 'disabled' } };
  await vitrine.request('PATCH', `/users/${people['disabled']!.id}`, disabling);
  const personOf = (caller: Caller): SignedIn => people[caller.split(' ')[0]!] ?? admin;
  return {
    vitrine,
    upstream,
    algorithm,
    version,
    newAlgorithm,
    newVersion,
    newRepository: async () => {
      const { repository } = await make('/repositories', { name: unique() });
      return (repository as unknown as { id: string }).id;
    },
    callOf: async (caller) => {
      const person = caller === 'disabled' ? admin : personOf(caller);
      const body = { algorithm_id: algorithm, version_id: version, input_data: {} };
      return (await make('/algorithms/call', body, person))['id']!;
    },
    keyOf: async (caller) => {
      const person = caller === 'disabled' ? admin : personOf(caller);
      return (await make('/api-keys', { name: 'k', expires_at: LATER }, person))['id']!;
    },
    headersOf: (caller) => {
      if (caller === 'nobody') return {};
      if (caller === 'forged') return { authorization: `Bearer ${admin.token.slice(0, -4)}AAAA` };
      if (caller.endsWith('key')) return { 'x-api-key': keys[caller.split(' ')[0]!]! };
      if (caller === 'disabled') return { authorization: `Bearer ${people[caller]!.token}` };
      // A new one each time, since some operations end those that there are.
      const { token } = vitrine.get(TOKEN_ISSUER).issue(personOf(caller).id);
      return caller.endsWith('session')
        ? { cookie: `vitrine_session=${token}`, 'sec-fetch-site': 'same-origin' }
        : { authorization: `Bearer ${token}` };
    },
  };
}
