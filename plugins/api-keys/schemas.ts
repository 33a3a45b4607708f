import { named, nullable, PagingQuery, SCOPES, timestamp, Type, type Static } from '../../core/index.ts';

const Scope = Type.Enum([...SCOPES], {
  description: '`read` reads, `call` calls algorithms, `manage` creates, changes and deletes.',
});

const KEY = 'The whole key in the answer to its creation, later `vk_abcd…wxyz`.';
const LAST_USE = 'To the minute; null when it was never used.';
const EXAMPLE_END = '2099-12-31T00:00:00.000Z';

export const ApiKey = named(
  'APIKey',
  Type.Object({
    id: Type.String({ description: 'The identifier of the key, which is not the key itself.' }),
    user_id: Type.String({ description: 'The owner: requests with the key are theirs.' }),
    key: Type.String({ description: KEY, examples: ['vk_abcd…wxyz'] }),
    name: Type.String({ description: 'What the owner calls it.', examples: ['notebook'] }),
    expires_at: timestamp('When the key stops working.', EXAMPLE_END),
    scopes: Type.Array(Scope, { description: 'What the key may do, at most what its owner may.' }),
    status: Type.Enum(['active', 'expired', 'revoked'], { description: 'Only an active key is accepted.' }),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it was revoked, or else created.'),
    last_used_at: nullable(timestamp(LAST_USE)),
  }),
);
export type ApiKey = Static<typeof ApiKey>;

/** The same on the wire; its example is whole and was never used. */
export const NewApiKey = named(
  'APIKey',
  Type.Object({
    ...ApiKey.properties,
    key: Type.String({ description: KEY, examples: [`vk_abcd${'0'.repeat(41)}wxyz`] }),
    last_used_at: nullable(timestamp(LAST_USE, null)),
  }),
);

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
      examples: [EXAMPLE_END],
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
