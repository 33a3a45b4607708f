import { authorOf, MessageAnswer, reply, routesWith, Type } from '../../core/index.ts';
import { API_KEYS } from './api-keys.ts';
import { KeyNotFound, TooManyKeys } from './problems.ts';
import { ApiKey, ApiKeyCreateRequest, ApiKeysQuery, NewApiKey } from './schemas.ts';

const route = routesWith({ keys: API_KEYS });

export const routes = [
  route({
    method: 'GET',
    path: '/api-keys',
    operationId: 'listApiKeys',
    summary: 'Lists your active API keys, newest first and masked',
    description:
      'All of them, unless `limit` is given. The key itself is never shown again: `key` is its beginning and its end.',
    access: 'account',
    query: ApiKeysQuery,
    answers: Type.Array(ApiKey),
    links: { key_id: '/0/id' },
    handle: async ({ principal, query }, { keys }) => {
      const { page, total } = await keys.list(principal.userId, query);
      return reply(page, { total });
    },
  }),
  route({
    method: 'POST',
    path: '/api-keys',
    operationId: 'createApiKey',
    summary: 'Creates an API key, which is shown in this answer only',
    description:
      'Needs a token: a key cannot create keys. Send the key as `X-API-Key`, or as `Authorization: Bearer`.',
    access: 'account',
    body: ApiKeyCreateRequest,
    answers: NewApiKey,
    links: { key_id: '/id' },
    problems: [TooManyKeys],
    handle: (input, { keys }) => keys.create(input.principal, input.body, authorOf(input)),
  }),
  route({
    method: 'DELETE',
    path: '/api-keys/{key_id}',
    parameters: { key_id: { description: 'The `id` of an API key, which is not the key itself.' } },
    operationId: 'deleteApiKey',
    summary: 'Revokes an API key at once',
    description: 'Needs a token: a key cannot revoke keys. Requests with it get 401 from then on.',
    access: 'account',
    answers: MessageAnswer,
    problems: [KeyNotFound],
    handle: async (input, { keys }) => {
      await keys.revoke(input.principal.userId, input.path.key_id, authorOf(input));
      return { message: 'The API key was revoked.' };
    },
  }),
];
