import { named, nullable, PagingQuery, timestamp, Type, type Static } from '../../core/index.ts';

const PolicySubject = Type.Enum(['user', 'api_key', 'algorithm'], {
  description: 'What is counted: the requests of a user, those with an API key, or those for an algorithm.',
});
const BlockSubject = Type.Enum(['user', 'api_key', 'algorithm', 'network']);

const ONE_SUBJECT = 'Its id; null for each one that has no policy of its own.';
const LIMIT = 'Requests within a window; null sets none.';
const CONCURRENCY =
  'Calls of the algorithm at once, of all its versions together, on each instance; null leaves the setting, which is ' +
  'for each version alone. Algorithms only.';

export const GatewayStatistics = named(
  'GatewayStatistics',
  Type.Object({
    total_requests: Type.Integer({ description: 'The sum of the other four.' }),
    successful_requests: Type.Integer(),
    failed_requests: Type.Integer({ description: 'Recorded calls that failed.' }),
    blocked_requests: Type.Integer({ description: 'Refused with 403 by a block rule.' }),
    rate_limited_requests: Type.Integer({ description: 'Refused with 429 by a limit.' }),
    last_updated: timestamp('When one of them last changed.'),
  }),
);
export type GatewayStatistics = Static<typeof GatewayStatistics>;

export const Policy = named(
  'GatewayPolicy',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    subject: PolicySubject,
    subject_id: nullable(Type.String({ description: ONE_SUBJECT })),
    limit: nullable(Type.Integer({ description: LIMIT })),
    window_s: Type.Integer(),
    concurrency: nullable(Type.Integer({ description: CONCURRENCY })),
    enabled: Type.Boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);
export type Policy = Static<typeof Policy>;

const policyFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    format: 'name',
    pattern: '\\S',
    examples: ['Ten calls a minute'],
  }),
  subject: PolicySubject,
  subject_id: Type.Optional(nullable(Type.String({ maxLength: 64, description: ONE_SUBJECT }))),
  limit: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: LIMIT }))),
  window_s: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 86_400, description: 'Seconds; by default those of the settings.' }),
  ),
  concurrency: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 100_000, description: CONCURRENCY })),
  ),
  enabled: Type.Optional(Type.Boolean()),
};

export const PolicyCreateRequest = named('GatewayPolicyCreateRequest', Type.Object(policyFields));
export type PolicyCreateRequest = Static<typeof PolicyCreateRequest>;

export const PolicyUpdateRequest = named(
  'GatewayPolicyUpdateRequest',
  Type.Partial(Type.Object(policyFields)),
);
export type PolicyUpdateRequest = Static<typeof PolicyUpdateRequest>;

export const PoliciesAnswer = Type.Object({ policies: Type.Array(Policy), total: Type.Integer() });

export const Block = named(
  'GatewayBlock',
  Type.Object({
    id: Type.String(),
    subject: BlockSubject,
    value: Type.String({ description: 'An id, or an address or network such as `192.0.2.0/24`.' }),
    reason: Type.String({ description: 'Shown to blocked callers.' }),
    until: nullable(timestamp('Null: until it is deleted.')),
    active: Type.Boolean({ description: 'False when its time is over.' }),
    created_by: Type.String(),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);
export type Block = Static<typeof Block>;

const blockFields = {
  subject: BlockSubject,
  value: Type.String({ minLength: 1, maxLength: 64 }),
  reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', examples: ['Too many failed calls'] }),
  until: Type.Optional(nullable(timestamp())),
};

export const BlockCreateRequest = named('GatewayBlockCreateRequest', Type.Object(blockFields));
export type BlockCreateRequest = Static<typeof BlockCreateRequest>;

export const BlockUpdateRequest = named('GatewayBlockUpdateRequest', Type.Partial(Type.Object(blockFields)));
export type BlockUpdateRequest = Static<typeof BlockUpdateRequest>;

export const BlocksAnswer = Type.Object({ blocks: Type.Array(Block), total: Type.Integer() });

export const RulesQuery = PagingQuery({});
export type RulesQuery = Static<typeof RulesQuery>;

export const BlocksQuery = PagingQuery({
  active: Type.Optional(Type.Boolean({ description: 'Only rules that hold, or only rules that ended.' })),
});
export type BlocksQuery = Static<typeof BlocksQuery>;

const OF_ADMINISTRATORS = 'Another one than the caller; for administrators.';

export const CheckRequest = named(
  'GatewayCheckRequest',
  Type.Object({
    algorithm_id: Type.Optional(Type.String()),
    version_id: Type.Optional(
      Type.String({ description: 'With the algorithm: which version would be chosen is answered, too.' }),
    ),
    user_id: Type.Optional(Type.String({ description: OF_ADMINISTRATORS })),
    api_key_id: Type.Optional(
      Type.String({ description: `The owner needs no naming. ${OF_ADMINISTRATORS}` }),
    ),
    address: Type.Optional(Type.String({ description: `An IP address. ${OF_ADMINISTRATORS}` })),
  }),
);
export type CheckRequest = Static<typeof CheckRequest>;

export const CheckAnswer = named(
  'GatewayCheck',
  Type.Object({
    allowed: Type.Boolean(),
    code: nullable(
      Type.String({
        description: 'What the call would meet.',
        examples: ['blocked', 'rate_limited', 'concurrency_limited', 'circuit_open'],
      }),
    ),
    reason: nullable(Type.String()),
    rule: nullable(
      Type.Object({
        kind: Type.Enum(['block', 'policy', 'setting', 'circuit']),
        id: nullable(Type.String({ description: 'Of the block rule, the policy or the version.' })),
      }),
    ),
    clears_at: nullable(timestamp('When that ends by itself; null when that is unknown.')),
    limits: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As in the `RateLimit` header.' }),
        policy_id: nullable(Type.String()),
        limit: Type.Integer(),
        window_s: Type.Integer(),
        remaining: Type.Integer(),
        resets_at: nullable(timestamp('Null while the window has not begun.')),
      }),
    ),
    chosen: Type.Optional(
      Type.Object(
        {
          version_id: Type.String(),
          role: nullable(
            Type.Enum(['stable', 'canary'], { description: 'On the route; null when there is none.' }),
          ),
          reason: Type.String(),
        },
        { description: 'The version that would answer. Absent for a call that gets the version it names.' },
      ),
    ),
  }),
);
export type CheckAnswer = Static<typeof CheckAnswer>;
