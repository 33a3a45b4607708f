import { named, nullable, PagingQuery, SCOPES, timestamp, Type } from '../../core/index.ts';

const Scope = Type.Enum([...SCOPES], {
  description: '`read` reads, `call` calls algorithms, `manage` creates, changes and deletes.',
});

const KEY = 'The whole key in the answer to its creation, later `vk_abcd…wxyz`.';
const LAST_USE = 'To the minute; null when it was never used.';
/** 30 days. */
const LONGEST_OVERLAP = 2_592_000;
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
    algorithms: nullable(
      Type.Array(Type.String(), {
        description: 'The ids of the only algorithms that it covers; null for all.',
        examples: [null],
      }),
    ),
    networks: nullable(
      Type.Array(Type.String(), {
        description: 'The only networks that it is accepted from; null for all.',
        examples: [null],
      }),
    ),
    status: Type.Enum(['active', 'expired', 'revoked'], { description: 'Only an active key is accepted.' }),
    expires_soon: Type.Boolean({
      description:
        'Whether it expires within `api-keys.warn_days` days. Keys made for no longer are not announced.',
      examples: [false],
    }),
    previous_expires_at: nullable(timestamp('Until when the secret before the last rotation works.', null)),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it was last changed, rotated or revoked.'),
    last_used_at: nullable(timestamp(LAST_USE)),
  }),
);
export type ApiKey = Type.Static<typeof ApiKey>;

/** The same on the wire; its example is whole and was never used. */
export const NewApiKey = named(
  'APIKey',
  Type.Object({
    ...ApiKey.properties,
    key: Type.String({ description: KEY, examples: [`vk_abcd${'0'.repeat(41)}wxyz`] }),
    last_used_at: nullable(timestamp(LAST_USE, null)),
  }),
);

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  format: 'name',
  pattern: '\\S',
  description: 'What you call the key.',
  examples: ['notebook'],
});

const Expiry = Type.String({
  format: 'date-time',
  description: 'When the key stops working; in the future, and in UTC unless it has an offset.',
  examples: [EXAMPLE_END],
});

const Scopes = Type.Array(Scope, {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description:
    'Keeps the key to reading (`read`), to calling algorithms and asking the language model (`call`), to creating, ' +
    'changing and deleting (`manage`), or to several of these. By default the key may do everything its owner may.',
});

const Algorithms = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description:
    'Ids of algorithms: the key then covers nothing else. Other algorithms, and operations that are not about single ' +
    'ones, are refused to it. By default it covers all that its owner may use.',
});

const Networks = Type.Array(Type.String({ maxLength: 64, examples: ['192.0.2.0/24'] }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'Addresses and networks such as `192.0.2.0/24`: the key is then refused from anywhere else.',
  examples: [['127.0.0.0/8', '::1']],
});

export const ApiKeyCreateRequest = named(
  'APIKeyCreateRequest',
  Type.Object({
    name: Name,
    expires_at: Expiry,
    scopes: Type.Optional(Scopes),
    algorithms: Type.Optional(Algorithms),
    networks: Type.Optional(Networks),
  }),
);
export type ApiKeyCreateRequest = Type.Static<typeof ApiKeyCreateRequest>;

export const ApiKeyChangeRequest = named(
  'APIKeyChangeRequest',
  Type.Object(
    {
      name: Type.Optional(Name),
      expires_at: Type.Optional(Expiry),
      scopes: Type.Optional(Scopes),
      algorithms: Type.Optional(nullable(Algorithms)),
      networks: Type.Optional(nullable(Networks)),
    },
    { examples: [{ name: 'nightly job' }] },
  ),
);
export type ApiKeyChangeRequest = Type.Static<typeof ApiKeyChangeRequest>;

export const ApiKeyRotateRequest = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LONGEST_OVERLAP,
      default: 0,
      description: 'How long the secret before still works: by default it ends at once; at most 30 days.',
      examples: [3600],
    }),
  ),
});

export const ApiKeysQuery = PagingQuery({
  status: Type.Enum(['active', 'expired', 'revoked', 'all'], {
    default: 'active',
    description: 'Expired and revoked keys are listed on request only; `all` lists active ones first.',
  }),
  user_id: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'Whose keys: by default your own; for administrators the id of any account, or `all`, whose `limit` is 100 by default.',
    }),
  ),
  expires_before: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Only keys that stop working before then; in UTC unless it has an offset.',
      examples: ['9999-01-01T00:00:00.000Z'],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Entries to answer at most; all by default.' }),
  ),
});
export type ApiKeysQuery = Type.Static<typeof ApiKeysQuery>;
