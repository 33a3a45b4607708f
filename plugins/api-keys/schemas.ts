import { named, nullable, PagingQuery, timestamp, Type, type Static } from '../../core/index.ts';

export const ApiKey = named(
  'APIKey',
  Type.Object({
    id: Type.String(),
    user_id: Type.String(),
    key: Type.String({ description: 'The whole key in the answer to its creation, later `vk_abcd…wxyz`.' }),
    name: Type.String(),
    expires_at: timestamp(),
    status: Type.Enum(['active', 'expired', 'revoked']),
    created_at: timestamp(),
    updated_at: timestamp(),
    last_used_at: nullable(timestamp('To the minute; null when it was never used.')),
  }),
);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyCreateRequest = named(
  'APIKeyCreateRequest',
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    expires_at: timestamp('When the key stops working; in the future.'),
  }),
);
export type ApiKeyCreateRequest = Static<typeof ApiKeyCreateRequest>;

export const ApiKeysQuery = PagingQuery({});
export type ApiKeysQuery = Static<typeof ApiKeysQuery>;
