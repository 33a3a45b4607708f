import type { Upstream } from '../../support/upstream.ts';
import type { SignedIn, Vitrine } from '../../support/vitrine.ts';

const LATER = '2099-01-01T00:00:00Z';
const NOTHING = '01890000-0000-7000-8000-000000000000';

/** A private algorithm and what belongs to it, or ids of the same shape that name nothing. */
export interface Ids {
  readonly algorithm: string;
  readonly version: string;
  readonly example: string;
  readonly call: string;
  readonly repository: string;
  readonly grant: string;
  /** An API key of the manager that is restricted to the algorithm. */
  readonly key: string;
}

export const UNKNOWN: Ids = {
  algorithm: NOTHING,
  version: NOTHING,
  example: NOTHING,
  call: NOTHING,
  repository: NOTHING,
  grant: NOTHING,
  key: NOTHING,
};

/** By which a private algorithm can be recognised where its id is not shown. */
export const NAME = 'Secret recipe';

export type Caller = 'anonymous' | 'user' | 'user key' | 'manager' | 'admin';

/** Callers for whom a private algorithm does not exist. */
export const STRANGERS: readonly Caller[] = ['anonymous', 'user', 'user key'];

/** A service with a private algorithm, about which everything is set that could tell of it. */
export interface PrivateWorld {
  readonly vitrine: Vitrine;
  readonly user: SignedIn;
  readonly manager: SignedIn;
  readonly hidden: Ids;
  headersOf(caller: Caller): Record<string, string>;
  /** Sends as the administrator; the answer must be 200. */
  manage(method: string, path: string, body?: object): Promise<Record<string, string>>;
  /** A private algorithm with a version, a call by its manager, a repository and a grant. */
  hide(): Promise<Ids>;
}

export async function startPrivateWorld(vitrine: Vitrine, upstream: Upstream): Promise<PrivateWorld> {
  const admin = await vitrine.admin();
  const user = await vitrine.user('user');
  const manager = await vitrine.user('manager');
  const send = async (as: SignedIn, method: string, path: string, body?: object) => {
    const answer = await vitrine.request(method, path, { token: as.token, body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const manage: PrivateWorld['manage'] = (method, path, body) => send(admin, method, path, body);

  const hide = async (): Promise<Ids> => {
    const about = { name: NAME, description: NAME, type: NAME, access: 'private' };
    const algorithm = (await manage('POST', '/algorithms', about))['id']!;
    const endpoint = { version: '1', url: upstream.url };
    const version = (await manage('POST', `/algorithms/${algorithm}/versions`, endpoint))['id']!;
    const examples = `/algorithms/${algorithm}/versions/${version}/examples`;
    const example = (await manage('POST', examples, { name: NAME, input_data: {} }))['id']!;
    const right = { algorithm_id: algorithm, user_id: manager.id, permission_type: 'manage' };
    const grant = (await manage('POST', '/permissions/grants', right))['id']!;
    const called = { algorithm_id: algorithm, version_id: version, input_data: {} };
    const call = (await send(manager, 'POST', '/algorithms/call', called)).id;
    const repository = (await send(admin, 'POST', '/repositories', { name: NAME })).repository.id;
    await manage('PUT', `/repositories/${repository}`, { algorithm_id: algorithm });
    await manage('PUT', `/algorithms/${algorithm}/payload-policy`, {});
    const limit = { name: NAME, subject: 'algorithm', subject_id: algorithm, limit: 1_000_000 };
    await manage('POST', '/gateway/policies', limit);
    const all = { versions: [{ version_id: version, percent: 100 }] };
    await manage('PUT', `/gateway/routes/${algorithm}`, all);
    const restricted = { name: NAME, expires_at: LATER, algorithms: [algorithm] };
    const { id: keyId } = await send(manager, 'POST', '/api-keys', restricted);
    return { algorithm, version, example, call, repository, grant, key: keyId };
  };

  const key = (await send(user, 'POST', '/api-keys', { name: 'key', expires_at: LATER })).key;
  const headers: Record<Caller, Record<string, string>> = {
    anonymous: {},
    user: { authorization: `Bearer ${user.token}` },
    'user key': { 'x-api-key': key },
    manager: { authorization: `Bearer ${manager.token}` },
    admin: { authorization: `Bearer ${admin.token}` },
  };
  const hidden = await hide();
  return { vitrine, user, manager, hidden, headersOf: (caller) => headers[caller], manage, hide };
}
