import { authorOf, Forbidden, MessageAnswer, reply, routesWith, Type } from '../../core/index.ts';
import { API_KEYS } from './api-keys.ts';
import { KEY_CHANGES } from './key-changes.ts';
import { KeyEnded, KeyNotFound, TooManyKeys } from './problems.ts';
import {
  ApiKey,
  ApiKeyChangeRequest,
  ApiKeyCreateRequest,
  ApiKeyRotateRequest,
  ApiKeysQuery,
  NewApiKey,
} from './schemas.ts';

const route = routesWith({ keys: API_KEYS, changes: KEY_CHANGES });

const parameters = { key_id: { description: 'The `id` of an API key, which is not the key itself.' } };

export const routes = [
  route({
    method: 'GET',
    path: '/api-keys',
    operationId: 'listApiKeys',
    summary: 'Lists your active API keys, newest first and masked',
    description:
      'All of them, unless `limit` is given. The key itself is never shown again: `key` is its beginning and its end. Administrators list the keys of others with `user_id`.',
    access: 'account',
    query: ApiKeysQuery,
    answers: Type.Array(ApiKey),
    links: { key_id: '/0/id' },
    problems: [Forbidden],
    handle: async ({ principal, query }, { keys }) => {
      const { page, total } = await keys.list(principal, query);
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
    method: 'GET',
    path: '/api-keys/{key_id}',
    parameters,
    operationId: 'getApiKey',
    summary: 'Shows an API key of yours, masked',
    description: 'One that has ended is shown until it is deleted. Administrators see the keys of others.',
    access: 'account',
    answers: ApiKey,
    problems: [KeyNotFound],
    handle: ({ principal, path }, { keys }) => keys.find(principal, path.key_id),
  }),
  route({
    method: 'PATCH',
    path: '/api-keys/{key_id}',
    parameters,
    operationId: 'updateApiKey',
    summary: 'Changes an API key of yours; omitted fields stay unchanged',
    description:
      'Needs a token. `null` lifts a restriction to algorithms or networks; all three scopes lift the one to scopes. It holds ' +
      'for the next request, on other instances within 2 s. A key that has ended cannot be changed.',
    access: 'account',
    body: ApiKeyChangeRequest,
    answers: ApiKey,
    problems: [KeyNotFound, KeyEnded],
    fixed: ({ principal, path }, { changes }) => changes.fixed(principal, path.key_id),
    handle: (input, { changes }) =>
      changes.change(input.principal, input.path.key_id, input.body, authorOf(input)),
  }),
  route({
    method: 'POST',
    path: '/api-keys/{key_id}/rotate',
    parameters,
    operationId: 'rotateApiKey',
    summary: 'Gives an API key of yours a new secret, which is shown in this answer only',
    description:
      'Needs a token. The key stays the same: its `id`, limits, uses and history go on, and so does its expiry. The secret ' +
      'before ends at once, or after `overlap_seconds`; one that a rotation before left over ends in any case.',
    access: 'account',
    body: ApiKeyRotateRequest,
    answers: NewApiKey,
    problems: [KeyNotFound, KeyEnded],
    handle: (input, { changes }) =>
      changes.rotate(input.principal, input.path.key_id, input.body.overlap_seconds ?? 0, authorOf(input)),
  }),
  route({
    method: 'DELETE',
    path: '/api-keys/{key_id}',
    parameters,
    operationId: 'deleteApiKey',
    summary: 'Revokes an API key at once',
    description:
      'Needs a token: a key cannot revoke keys. Requests with it get 401 from then on. Administrators may revoke the keys of others.',
    access: 'account',
    answers: MessageAnswer,
    problems: [KeyNotFound],
    handle: async (input, { keys }) => {
      await keys.revoke(input.principal, input.path.key_id, authorOf(input));
      return { message: 'The API key was revoked.' };
    },
  }),
];
