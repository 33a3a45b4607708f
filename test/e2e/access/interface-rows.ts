import { PASSWORD } from '../../support/vitrine.ts';
import type { Row } from './row.ts';
import { LATER, unique, type World } from './world.ts';

const anAlgorithm = (world: World) => async () => ({ algorithm_id: await world.newAlgorithm() });
const theVersion = (world: World) => ({ algorithm_id: world.algorithm, version_id: world.version });
const call = (world: World) => ({ ...theVersion(world), input_data: { n: 1 } });

/** The operations of the interface. */
export const INTERFACE_ROWS: readonly Row[] = [
  { operation: 'GET /algorithms', rule: 'public' },
  {
    operation: 'POST /algorithms',
    rule: 'admin',
    body: () => ({ name: unique(), description: 'd', type: 't' }),
  },
  { operation: 'GET /algorithms/{algorithm_id}', rule: 'public', path: async (world) => theVersion(world) },
  {
    operation: 'PUT /algorithms/{algorithm_id}',
    rule: 'manager',
    path: async (world) => theVersion(world),
    body: () => ({ description: unique() }),
  },
  { operation: 'DELETE /algorithms/{algorithm_id}', rule: 'manager', path: (world) => anAlgorithm(world)() },
  {
    operation: 'GET /algorithms/{algorithm_id}/versions',
    rule: 'public',
    path: async (world) => theVersion(world),
  },
  {
    operation: 'POST /algorithms/{algorithm_id}/versions',
    rule: 'manager',
    path: async (world) => theVersion(world),
    body: (world) => ({ version: unique(), url: world.upstream.url }),
  },
  {
    operation: 'GET /algorithms/{algorithm_id}/versions/{version_id}',
    rule: 'public',
    path: async (world) => theVersion(world),
  },
  {
    operation: 'PUT /algorithms/{algorithm_id}/versions/{version_id}',
    rule: 'manager',
    path: async (world) => theVersion(world),
    body: (world) => ({ url: world.upstream.url }),
  },
  {
    operation: 'DELETE /algorithms/{algorithm_id}/versions/{version_id}',
    rule: 'manager',
    path: async (world) => ({ algorithm_id: world.algorithm, version_id: await world.newVersion() }),
  },
  { operation: 'POST /algorithms/call', rule: 'user', body: call },
  {
    operation: 'GET /algorithms/calls/{call_id}',
    rule: 'user',
    path: async (world, caller) => ({ call_id: await world.callOf(caller) }),
  },
  { operation: 'POST /gateway/call', rule: 'user', body: call },
  { operation: 'GET /gateway/stats', rule: 'user' },
  {
    operation: 'POST /users/register',
    rule: 'anonymous',
    body: () => {
      const username = unique();
      return { username: `${username}-name`, email: `${username}@example.org`, password: 'long enough 1' };
    },
  },
  {
    operation: 'POST /users/login',
    rule: 'anonymous',
    body: () => ({ username: 'admin', password: PASSWORD }),
  },
  { operation: 'GET /users/me', rule: 'user' },
  { operation: 'GET /api-keys', rule: 'account' },
  { operation: 'POST /api-keys', rule: 'account', body: () => ({ name: unique(), expires_at: LATER }) },
  {
    operation: 'DELETE /api-keys/{key_id}',
    rule: 'account',
    path: async (world, caller) => ({ key_id: await world.keyOf(caller) }),
  },
  { operation: 'POST /llm/generate-data', rule: 'user', body: () => ({ prompt: 'three numbers' }) },
  {
    operation: 'POST /llm/describe-image',
    rule: 'user',
    body: (world) => ({ image_url: `${world.upstream.url}/x.png` }),
  },
  { operation: 'GET /history/user-calls', rule: 'user' },
  { operation: 'GET /history/statistics', rule: 'user' },
  { operation: 'GET /monitoring/health', rule: 'user' },
  {
    operation: 'GET /monitoring/performance/algorithm/{algorithm_id}',
    rule: 'user',
    path: async (world) => theVersion(world),
  },
  { operation: 'GET /health', rule: 'anonymous' },
  {
    operation: 'POST /permissions/check',
    rule: 'user',
    body: (world) => ({ algorithm_id: world.algorithm, permission_type: 'execute' }),
  },
  { operation: 'GET /repositories', rule: 'user' },
  {
    operation: 'GET /repositories/{repo_id}',
    rule: 'user',
    path: async (world) => ({ repo_id: await world.newRepository() }),
  },
  { operation: 'POST /repositories', rule: 'admin', body: () => ({ name: unique() }) },
  {
    operation: 'PUT /repositories/{repo_id}',
    rule: 'admin',
    path: async (world) => ({ repo_id: await world.newRepository() }),
    body: () => ({ description: unique() }),
  },
  {
    operation: 'DELETE /repositories/{repo_id}',
    rule: 'admin',
    path: async (world) => ({ repo_id: await world.newRepository() }),
  },
  { operation: 'GET /repohost/config', rule: 'admin' },
  {
    operation: 'POST /repohost/config',
    rule: 'admin',
    body: (world) => ({
      server_url: world.upstream.url,
      access_token: '',
      default_owner: '',
      repo_prefix: 'a-',
    }),
  },
  {
    operation: 'POST /repohost/repos/create',
    rule: 'admin',
    body: (world) => ({ algorithm_id: world.algorithm, algorithm_name: 'A', description: 'd' }),
  },
  {
    operation: 'PATCH /repohost/repos/update',
    rule: 'admin',
    body: (world) => ({ algorithm_id: world.algorithm, description: 'd', private: true }),
  },
];
