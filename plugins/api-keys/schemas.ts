import { named, nullable, PagingQuery, SCOPES, timestamp, Type, type Static } from '../../core/index.ts';

const Scope = Type.Enum([...SCOPES]);

export const ApiKey = named(
  'APIKey',
  Type.Object({
    id: Type.String(),
    user_id: Type.String(),
    key: Type.String({ description: 'The whole key in the answer to its creation, later `vk_abcd…wxyz`.' }),
    name: Type.String(),
    expires_at: timestamp(),
    scopes: Type.Array(Scope, { description: 'What the key may do of all that its owner may.' }),
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
    name: Type.String({ minLength: 1, maxLength: 200, format: 'name', pattern: '\\S', examples: ['laptop'] }),
    expires_at: timestamp('When the key stops working; in the future, and in UTC unless it has an offset.'),
    scopes: Type.Optional(
      Type.Array(Scope, {
        minItems: 1,
        uniqueItems: true,
        description:
          'Keeps the key to reading (`read`), to calling algorithms and asking the language model (`call`), to creating, ' +
          'changing and deleting (`manage`), or to several of these. By default it may all that its owner may.',
      }),
    ),
  }),
);
export type ApiKeyCreateRequest = Static<typeof ApiKeyCreateRequest>;

export const ApiKeysQuery = PagingQuery(
  {
    status: Type.Enum(['active', 'expired', 'revoked', 'all'], {
      default: 'active',
      description: 'Expired and revoked keys are listed on request only; `all` lists active ones first.',
    }),
  },
  { limit: 'none' },
);
export type ApiKeysQuery = Static<typeof ApiKeysQuery>;
