import { named, nullable, PagingQuery, timestamp, Type } from '../../core/index.ts';
import { EXAMPLE_ALGORITHM_ID, EXAMPLE_VERSION_ID } from '../catalogue/contract.ts';
import { CallSeriesAnswer, SeriesQuery } from '../invocation/contract.ts';

const PolicySubject = Type.Enum(['user', 'api_key', 'algorithm'], {
  description: 'What is counted: the requests of a user, those with an API key, or those for an algorithm.',
  examples: ['algorithm'],
});
const BlockSubject = Type.Enum(['user', 'api_key', 'algorithm', 'network'], {
  description: 'What is blocked.',
  examples: ['network'],
});

const EXAMPLE_USER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

const ONE_SUBJECT = 'Its id; null applies the policy to each one without a policy of its own.';
const LIMIT = 'Requests within a window; null sets none.';
const CONCURRENCY =
  'Concurrent calls to the algorithm, all versions together, on each instance; null keeps the setting, which applies ' +
  'to each version separately. Algorithms only.';

const RequestCounts = Type.Object({
  total_requests: Type.Integer({ description: 'The sum of the other four counts.' }),
  successful_requests: Type.Integer({ description: 'Recorded calls that succeeded.' }),
  failed_requests: Type.Integer({ description: 'Recorded calls that failed.' }),
  blocked_requests: Type.Integer({ description: 'Refused with 403 by a block rule.' }),
  rate_limited_requests: Type.Integer({ description: 'Refused with 429 by a limit.' }),
  last_updated: timestamp('When one of them last changed.'),
});
export type RequestCounts = Type.Static<typeof RequestCounts>;

export const GatewayStatistics = named(
  'GatewayStatistics',
  Type.Object({
    ...RequestCounts.properties,
    direct: Type.Object(RequestCounts.properties, {
      description: 'The same counts for requests that did not come through `/gateway/call`.',
    }),
  }),
);
export type GatewayStatistics = Type.Static<typeof GatewayStatistics>;

const { bucket, start_date, end_date, algorithm_id } = SeriesQuery.properties;

export const RefusalsQuery = Type.Object(
  { bucket, start_date, end_date, algorithm_id },
  { additionalProperties: false },
);
export type RefusalsQuery = Type.Static<typeof RefusalsQuery>;

const refusals = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description, examples: [{ rate_limited: 2 }] });
const series = CallSeriesAnswer.properties;

export const RefusalsAnswer = named(
  'RefusalSeries',
  Type.Object({
    bucket: series.bucket,
    start: series.start,
    end: series.end,
    points: Type.Array(
      Type.Object({
        at: timestamp('When the minute, the hour or the day begins.'),
        refusals: refusals('Requests that were refused with each code.'),
      }),
      { description: 'One for each minute, hour or day, the oldest first, also where nothing was refused.' },
    ),
    total: refusals('All points together.'),
  }),
);
export type RefusalsAnswer = Type.Static<typeof RefusalsAnswer>;

export const policyFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    format: 'name',
    pattern: '\\S',
    description: 'What people call it.',
    examples: ['Ten calls a minute'],
  }),
  subject: PolicySubject,
  subject_id: Type.Optional(
    nullable(Type.String({ maxLength: 64, description: ONE_SUBJECT, examples: [EXAMPLE_ALGORITHM_ID] })),
  ),
  limit: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: LIMIT, examples: [10] })),
  ),
  window_s: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: 'The window in seconds; by default that of the settings.',
      examples: [60],
    }),
  ),
  concurrency: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 100_000, description: CONCURRENCY })),
  ),
  enabled: Type.Optional(Type.Boolean({ description: '`false` suspends the policy; by default `true`.' })),
};

export const Policy = named(
  'GatewayPolicy',
  Type.Object({
    id: Type.String({ description: 'The identifier of the policy.' }),
    ...Type.Required(Type.Object(policyFields)).properties,
    name: Type.String({ description: 'What people call it.', examples: ['Ten calls a minute'] }),
    created_at: timestamp('When it was made.'),
    updated_at: timestamp('When it last changed.'),
  }),
);
export type Policy = Type.Static<typeof Policy>;

export const PolicyCreateRequest = named('GatewayPolicyCreateRequest', Type.Object(policyFields));
export type PolicyCreateRequest = Type.Static<typeof PolicyCreateRequest>;

export const PolicyUpdateRequest = named(
  'GatewayPolicyUpdateRequest',
  Type.Partial(Type.Object(policyFields), { examples: [{ limit: 20 }] }),
);
export type PolicyUpdateRequest = Type.Static<typeof PolicyUpdateRequest>;

export const PoliciesAnswer = Type.Object({
  policies: Type.Array(Policy, { description: 'Newest first.' }),
  total: Type.Integer({ description: 'All of them, on all pages together.', examples: [1] }),
});

const blockFields = {
  subject: BlockSubject,
  value: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'An id, or an address or network such as `192.0.2.0/24`.',
    examples: ['192.0.2.0/24'],
  }),
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '\\S',
    description: 'Shown to blocked callers.',
    examples: ['Too many failed calls'],
  }),
  until: Type.Optional(
    nullable(timestamp('When it ends by itself; null or omitted: it lasts until it is deleted.')),
  ),
};

export const Block = named(
  'GatewayBlock',
  Type.Object({
    id: Type.String({ description: 'The identifier of the rule.' }),
    ...Type.Required(Type.Object(blockFields)).properties,
    until: nullable(timestamp('When it ends by itself; null if it lasts until it is deleted.', null)),
    active: Type.Boolean({ description: 'False once `until` has passed.' }),
    created_by: Type.String({ description: 'The administrator who made it.', examples: [EXAMPLE_USER_ID] }),
    created_at: timestamp('When it was made.'),
    updated_at: timestamp('When it last changed.'),
  }),
);
export type Block = Type.Static<typeof Block>;

export const BlockCreateRequest = named('GatewayBlockCreateRequest', Type.Object(blockFields));
export type BlockCreateRequest = Type.Static<typeof BlockCreateRequest>;

export const BlockUpdateRequest = named(
  'GatewayBlockUpdateRequest',
  Type.Partial(Type.Object(blockFields), { examples: [{ reason: 'Too many failed calls' }] }),
);
export type BlockUpdateRequest = Type.Static<typeof BlockUpdateRequest>;

export const BlocksAnswer = Type.Object({
  blocks: Type.Array(Block, { description: 'Newest first.' }),
  total: Type.Integer({ description: 'All that match, on all pages together.', examples: [1] }),
});

export const RulesQuery = PagingQuery({});
export type RulesQuery = Type.Static<typeof RulesQuery>;

export const BlocksQuery = PagingQuery({
  active: Type.Optional(
    Type.Boolean({ description: '`true`: only rules in effect. `false`: only expired ones.' }),
  ),
});
export type BlocksQuery = Type.Static<typeof BlocksQuery>;

export const Circuit = named(
  'GatewayCircuit',
  Type.Object({
    version_id: Type.String({
      description: 'The version that is not called.',
      examples: [EXAMPLE_VERSION_ID],
    }),
    algorithm_id: Type.String({ description: 'Its algorithm.', examples: [EXAMPLE_ALGORITHM_ID] }),
    state: Type.Enum(['open', 'half_open'], {
      description:
        '`open`: calls are not sent before `retry_at`. `half_open`: the next call, or one under way, decides.',
    }),
    failures: Type.Integer({ description: 'Failures of the endpoint in a row.', examples: [5] }),
    last_error_code: Type.String({
      description: 'The `error_code` of the last of them.',
      examples: ['upstream_timeout'],
    }),
    opened_at: timestamp('When it opened.'),
    retry_at: nullable(timestamp('When a call is sent again, as a trial; null while one decides.')),
  }),
);
export type Circuit = Type.Static<typeof Circuit>;

export const CircuitsAnswer = Type.Object({
  circuits: Type.Array(Circuit, { description: 'The one that opened last comes first.' }),
  total: Type.Integer({ description: 'All of them, on all pages together.', examples: [0] }),
});

const OF_ADMINISTRATORS = 'Only administrators may name another one than their own.';

export const CheckRequest = named(
  'GatewayCheckRequest',
  Type.Object({
    algorithm_id: Type.Optional(
      Type.String({ description: 'The algorithm of the call.', examples: [EXAMPLE_ALGORITHM_ID] }),
    ),
    version_id: Type.Optional(
      Type.String({
        description:
          'The version of the call. With `default` and the algorithm, the answer also says which version would be chosen.',
        examples: [EXAMPLE_VERSION_ID],
      }),
    ),
    user_id: Type.Optional(Type.String({ description: OF_ADMINISTRATORS })),
    api_key_id: Type.Optional(
      Type.String({
        description: `The owner is implied, and the restrictions of the key apply. ${OF_ADMINISTRATORS}`,
      }),
    ),
    address: Type.Optional(
      Type.String({ description: `An IP address; by default that of this request. ${OF_ADMINISTRATORS}` }),
    ),
  }),
);
export type CheckRequest = Type.Static<typeof CheckRequest>;

export const CheckAnswer = named(
  'GatewayCheck',
  Type.Object({
    allowed: Type.Boolean({ description: 'Whether the call would be sent.' }),
    code: nullable(
      Type.String({
        description:
          'The code with which the call would be refused, or `circuit_open`; null when it is allowed.',
        examples: [
          null,
          'blocked',
          'rate_limited',
          'concurrency_limited',
          'circuit_open',
          'algorithm_not_found',
          'version_not_found',
          'algorithm_inactive',
          'forbidden',
          'algorithm_not_covered',
          'api_key_elsewhere',
        ],
      }),
    ),
    reason: nullable(Type.String({ description: 'The same in words.', examples: [null] })),
    rule: nullable(
      Type.Object(
        {
          kind: Type.Enum(['block', 'policy', 'setting', 'circuit'], { description: 'What decides.' }),
          id: nullable(Type.String({ description: 'Of the block rule, the policy or the version.' })),
        },
        { description: 'The rule that decides; null when the call is allowed.', examples: [null] },
      ),
    ),
    clears_at: nullable(timestamp('When that ends by itself; null when that is unknown.', null)),
    limits: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As in the `RateLimit` header.', examples: ['user'] }),
        policy_id: nullable(Type.String({ description: 'The policy that sets it; null for a setting.' })),
        limit: Type.Integer({ description: 'Requests within a window.', examples: [60] }),
        window_s: Type.Integer({ description: 'The window in seconds.', examples: [60] }),
        remaining: Type.Integer({ description: 'Requests that are left in it.', examples: [59] }),
        resets_at: nullable(timestamp('Null while the window has not begun.')),
      }),
      { description: 'What is left of each limit that applies to the call.' },
    ),
    chosen: Type.Optional(
      Type.Object(
        {
          version_id: Type.String({ description: 'Its identifier.' }),
          role: nullable(
            Type.Enum(['stable', 'canary'], { description: 'On the route; null when there is none.' }),
          ),
          reason: Type.String({ description: 'Why this one.' }),
        },
        { description: 'The version that would answer. Absent for a call that gets the version it names.' },
      ),
    ),
  }),
);
export type CheckAnswer = Type.Static<typeof CheckAnswer>;
