import { named, nullable, PagingQuery, SCOPES, timestamp, Type, type Static } from '../../core/index.ts';

const Scope = Type.Enum([...SCOPES], {
  description: '`read` reads, `call` calls algorithms, `manage` creates, changes and deletes.',
});

export const ApiKey = named(
  'APIKey',
  Type.Object({
    id: Type.String({ description: 'The identifier of the key, which is not the key itself.' }),
    user_id: Type.String({ description: 'The owner: requests with the key are theirs.' }),
    key: Type.String({
      description: 'The whole key in the answer to its creation, later `vk_abcd…wxyz`.',
      examples: ['vk_abcd…wxyz'],
    }),
    name: Type.String({ description: 'What the owner calls it.', examples: ['notebook'] }),
    expires_at: timestamp('When the key stops working.'),
    scopes: Type.Array(Scope, { description: 'What the key may do, at most what its owner may.' }),
    status: Type.Enum(['active', 'expired', 'revoked'], { description: 'Only an active key is accepted.' }),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it was revoked, or else created.'),
    last_used_at: nullable(timestamp('To the minute; null when it was never used.')),
  }),
);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyCreateRequest = named(
  'APIKeyCreateRequest',
  Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      format: 'name',
      pattern: '\\S',
      description: 'What you call the key.',
      examples: ['notebook'],
    }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'When the key stops working; in the future, and in UTC unless it has an offset.',
      examples: ['2099-12-31T00:00:00.000Z'],
    }),
    scopes: Type.Optional(
      Type.Array(Scope, {
        minItems: 1,
        uniqueItems: true,
        description:
          'Keeps the key to reading (`read`), to calling algorithms and asking the language model (`call`), to creating, ' +
          'changing and deleting (`manage`), or to several of these. By default the key may do everything its owner may.',
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
