import type { Row } from './row.ts';
import type { World } from './world.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const ofTheAlgorithm = async ({ algorithm }: World) => ({ algorithm_id: algorithm });
const ofAVersion = async ({ algorithm, version }: World) => ({
  algorithm_id: algorithm,
  version_id: version,
});
const ofAnExample = async (world: World) => ({ ...(await ofAVersion(world)), example_id: UNKNOWN });
const ofNothing = (parameter: string) => async () => ({ [parameter]: UNKNOWN });
/** Refused for what it lacks by everybody whom it is not refused to. */
const nothing = () => ({});

/** Operations that the interface does not have. Those who may use them on something unknown get 404. */
export const ADDED_ROWS: readonly Row[] = [
  { operation: 'GET /openapi.json', rule: 'public' },
  { operation: 'GET //', rule: 'anonymous' },
  { operation: 'GET //algorithms/{algorithm_id}', rule: 'anonymous', path: ofTheAlgorithm },
  { operation: 'GET //calls/{call_id}', rule: 'anonymous', path: ofNothing('call_id') },
  { operation: 'GET //history', rule: 'anonymous' },
  { operation: 'GET //statistics', rule: 'anonymous' },
  { operation: 'GET //keys', rule: 'anonymous' },
  { operation: 'GET //account', rule: 'anonymous' },
  { operation: 'GET //sign-in', rule: 'anonymous' },
  { operation: 'GET //register', rule: 'anonymous' },
  { operation: 'GET //reset', rule: 'anonymous' },
  { operation: 'GET //frame', rule: 'anonymous' },
  { operation: 'GET //assets/{file}', rule: 'anonymous', path: async () => ({ file: 'nothing.js' }) },
  {
    operation: 'GET //pages/{plugin}/{page}',
    rule: 'anonymous',
    path: async () => ({ plugin: 'gateway', page: 'requests' }),
  },
  {
    operation: 'GET //page-files/{plugin}/{file}',
    rule: 'anonymous',
    path: async () => ({ plugin: 'llm', file: 'nothing.js' }),
  },
  {
    operation: 'GET //page-files/{plugin}/{folder}/{file}',
    rule: 'anonymous',
    path: async () => ({ plugin: 'llm', folder: 'nothing', file: 'nothing.js' }),
  },
  { operation: 'GET /console/pages', rule: 'public' },
  { operation: 'GET //docs', rule: 'anonymous' },
  { operation: 'GET //docs/{file}', rule: 'anonymous', path: async () => ({ file: 'nothing.js' }) },
  { operation: 'GET //livez', rule: 'anonymous' },
  { operation: 'GET //readyz', rule: 'anonymous' },
  { operation: 'GET //metrics', rule: 'anonymous' },
  { operation: 'GET /users', rule: 'admin' },
  { operation: 'GET /users/{user_id}', rule: 'admin', path: ofNothing('user_id') },
  { operation: 'PATCH /users/{user_id}', rule: 'admin', path: ofNothing('user_id'), body: nothing },
  { operation: 'POST /users', rule: 'admin', body: nothing },
  { operation: 'DELETE /users/{user_id}', rule: 'admin', path: ofNothing('user_id') },
  { operation: 'POST /users/{user_id}/password-reset', rule: 'admin account', path: ofNothing('user_id') },
  { operation: 'POST /users/password-reset', rule: 'anonymous', body: nothing },
  { operation: 'POST /users/password-reset/confirm', rule: 'anonymous', body: nothing },
  { operation: 'GET /users/registration', rule: 'anonymous' },
  { operation: 'PATCH /api-keys/{key_id}', rule: 'account', path: ofNothing('key_id'), body: nothing },
  { operation: 'POST /api-keys/{key_id}/rotate', rule: 'account', path: ofNothing('key_id'), body: nothing },
  { operation: 'GET /llm', rule: 'anonymous' },
  { operation: 'POST /users/session', rule: 'anonymous', body: nothing },
  { operation: 'DELETE /users/session', rule: 'public' },
  { operation: 'PATCH /users/me', rule: 'account', body: nothing },
  { operation: 'DELETE /users/me', rule: 'account', body: nothing },
  { operation: 'POST /users/me/password', rule: 'account', body: nothing },
  { operation: 'GET /users/me/sessions', rule: 'account' },
  { operation: 'DELETE /users/me/sessions/{session_id}', rule: 'account', path: ofNothing('session_id') },
  {
    operation: 'GET /algorithms/{algorithm_id}/payload-policy',
    rule: 'manager',
    path: ofTheAlgorithm,
  },
  {
    operation: 'PUT /algorithms/{algorithm_id}/payload-policy',
    rule: 'manager',
    path: ofTheAlgorithm,
    body: nothing,
  },
  {
    operation: 'DELETE /algorithms/{algorithm_id}/payload-policy',
    rule: 'manager',
    path: ofTheAlgorithm,
  },
  {
    operation: 'GET /algorithms/{algorithm_id}/versions/{version_id}/examples',
    rule: 'public',
    path: ofAVersion,
  },
  {
    operation: 'POST /algorithms/{algorithm_id}/versions/{version_id}/examples',
    rule: 'manager',
    path: ofAVersion,
    body: nothing,
  },
  {
    operation: 'GET /algorithms/{algorithm_id}/versions/{version_id}/examples/{example_id}',
    rule: 'public',
    path: ofAnExample,
  },
  {
    operation: 'PUT /algorithms/{algorithm_id}/versions/{version_id}/examples/{example_id}',
    rule: 'manager',
    path: ofAnExample,
    body: nothing,
  },
  {
    operation: 'DELETE /algorithms/{algorithm_id}/versions/{version_id}/examples/{example_id}',
    rule: 'manager',
    path: ofAnExample,
  },
  { operation: 'GET /audit', rule: 'admin' },
  { operation: 'GET /audit/export', rule: 'admin' },
  { operation: 'GET /history/export', rule: 'user' },
  { operation: 'GET /history/algorithms', rule: 'user' },
  { operation: 'GET /history/series', rule: 'user' },
  { operation: 'GET /history/series', rule: 'admin', query: () => `?user_id=${UNKNOWN}` },
  { operation: 'GET /monitoring/series', rule: 'admin' },
  {
    operation: 'GET /monitoring/series',
    rule: 'manager',
    query: ({ algorithm }) => `?algorithm_id=${algorithm}`,
  },
  { operation: 'POST /gateway/check', rule: 'user', body: nothing },
  {
    operation: 'POST /gateway/check',
    rule: 'admin',
    body: () => ({ user_id: UNKNOWN }),
  },
  { operation: 'GET /gateway/policies', rule: 'admin' },
  { operation: 'POST /gateway/policies', rule: 'admin', body: nothing },
  { operation: 'GET /gateway/policies/{policy_id}', rule: 'admin', path: ofNothing('policy_id') },
  {
    operation: 'PUT /gateway/policies/{policy_id}',
    rule: 'admin',
    path: ofNothing('policy_id'),
    body: nothing,
  },
  { operation: 'DELETE /gateway/policies/{policy_id}', rule: 'admin', path: ofNothing('policy_id') },
  { operation: 'GET /gateway/blocks', rule: 'admin' },
  { operation: 'POST /gateway/blocks', rule: 'admin', body: nothing },
  { operation: 'GET /gateway/blocks/{block_id}', rule: 'admin', path: ofNothing('block_id') },
  { operation: 'PUT /gateway/blocks/{block_id}', rule: 'admin', path: ofNothing('block_id'), body: nothing },
  { operation: 'DELETE /gateway/blocks/{block_id}', rule: 'admin', path: ofNothing('block_id') },
  { operation: 'GET /gateway/routes', rule: 'admin' },
  { operation: 'GET /gateway/routes/{algorithm_id}', rule: 'admin', path: ofTheAlgorithm },
  { operation: 'PUT /gateway/routes/{algorithm_id}', rule: 'admin', path: ofTheAlgorithm, body: nothing },
  { operation: 'DELETE /gateway/routes/{algorithm_id}', rule: 'admin', path: ofTheAlgorithm },
  { operation: 'POST /gateway/routes/{algorithm_id}/rollback', rule: 'admin', path: ofTheAlgorithm },
  { operation: 'POST /gateway/routes/{algorithm_id}/promote', rule: 'admin', path: ofTheAlgorithm },
  { operation: 'GET /groups', rule: 'admin' },
  { operation: 'POST /groups', rule: 'admin', body: nothing },
  { operation: 'GET /groups/{group_id}', rule: 'admin', path: ofNothing('group_id') },
  { operation: 'PATCH /groups/{group_id}', rule: 'admin', path: ofNothing('group_id'), body: nothing },
  { operation: 'DELETE /groups/{group_id}', rule: 'admin', path: ofNothing('group_id') },
  { operation: 'GET /groups/{group_id}/members', rule: 'admin', path: ofNothing('group_id') },
  {
    operation: 'PUT /groups/{group_id}/members/{user_id}',
    rule: 'admin',
    path: async () => ({ group_id: UNKNOWN, user_id: UNKNOWN }),
  },
  {
    operation: 'DELETE /groups/{group_id}/members/{user_id}',
    rule: 'admin',
    path: async () => ({ group_id: UNKNOWN, user_id: UNKNOWN }),
  },
  {
    operation: 'POST /permissions/grants',
    rule: 'manager',
    body: ({ algorithm }) => ({ algorithm_id: algorithm, user_id: UNKNOWN, permission_type: 'execute' }),
  },
  {
    operation: 'GET /permissions/grants',
    rule: 'manager',
    query: ({ algorithm }) => `?algorithm_id=${algorithm}`,
  },
  // To those who do not manage its algorithm a grant is unknown, whether or not it exists.
  { operation: 'DELETE /permissions/grants/{grant_id}', rule: 'user', path: ofNothing('grant_id') },

  { operation: 'DELETE /repohost/config', rule: 'admin' },
  { operation: 'POST /repohost/test', rule: 'admin' },
  { operation: 'POST /users/logout', rule: 'account' },
  // Last, for it ends the tokens with which other rows make what they need.
  { operation: 'DELETE /users/me/sessions', rule: 'account' },
];
