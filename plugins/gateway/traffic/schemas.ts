import { named, nullable, timestamp, Type } from '../../../core/index.ts';
import { EXAMPLE_ALGORITHM_ID, EXAMPLE_VERSION_ID } from '../../catalogue/contract.ts';

const MOST_VERSIONS = 16;
const EXAMPLE_USER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

const AppliesTo = Type.Enum(['default', 'all'], {
  description:
    '`default`: calls with `version_id: "default"`. `all`: also those that name the stable version. A call that names ' +
    'another version always gets that one.',
});
const Sticky = Type.Boolean({
  description:
    'Whether a caller gets the same version each time; otherwise each call is drawn independently.',
});
const weightFields = {
  version_id: Type.String({
    maxLength: 64,
    description: 'A version of the algorithm.',
    examples: [EXAMPLE_VERSION_ID],
  }),
  percent: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Percentage of the callers, a whole number.',
    examples: [100],
  }),
};
const StableVersion = 'The version that a rollback returns to; the other versions are canaries.';
const Reason = Type.Optional(
  nullable(
    Type.String({
      maxLength: 500,
      description: 'Kept in the history of the route.',
      examples: ['Looks good'],
    }),
  ),
);
const Revision = Type.Optional(
  Type.Integer({
    description: 'The revision that you read: 409 when the route has changed since. Omitted: any.',
  }),
);

const rollbackFields = {
  max_failure_percent: Type.Integer({
    minimum: 0,
    maximum: 99,
    description: 'The percentage of failed calls above which a canary is rolled back.',
    examples: [5],
  }),
  min_calls: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description:
      'How many calls are needed to judge a canary, 20 by default; with its circuit open, any number is enough.',
    examples: [20],
  }),
  window_s: Type.Integer({
    minimum: 10,
    maximum: 3600,
    description: 'Over how many seconds calls are counted, 60 by default, on all instances together.',
    examples: [60],
  }),
};

const OF_ROLLBACK = { description: 'When a canary is rolled back automatically; null: never.' };

export const RouteRequest = named(
  'GatewayRouteRequest',
  Type.Object({
    versions: Type.Array(Type.Object(weightFields), {
      minItems: 1,
      maxItems: MOST_VERSIONS,
      description: 'Percents add up to 100.',
    }),
    stable_version_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: `${StableVersion} At first the default version of the algorithm.`,
      }),
    ),
    sticky: Type.Optional(Sticky),
    applies_to: Type.Optional(AppliesTo),
    rollback: Type.Optional(
      nullable(
        Type.Object(
          {
            ...rollbackFields,
            min_calls: Type.Optional(rollbackFields.min_calls),
            window_s: Type.Optional(rollbackFields.window_s),
          },
          OF_ROLLBACK,
        ),
      ),
    ),
    reason: Reason,
    revision: Revision,
  }),
);
export type RouteRequest = Type.Static<typeof RouteRequest>;

export const RollbackOrder = named(
  'GatewayRollbackOrder',
  Type.Object({ reason: Reason, revision: Revision }),
);
export type RollbackOrder = Type.Static<typeof RollbackOrder>;

export const PromoteOrder = named(
  'GatewayPromoteOrder',
  Type.Object({
    version_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'May be left out when the route has one canary.' }),
    ),
    reason: Reason,
    revision: Revision,
  }),
);
export type PromoteOrder = Type.Static<typeof PromoteOrder>;

const Role = Type.Enum(['stable', 'canary'], { description: 'A rollback returns to the stable one.' });

const routeFields = {
  id: Type.String({ description: 'The identifier of the route.' }),
  algorithm_id: Type.String({
    description: 'The algorithm whose calls it distributes.',
    examples: [EXAMPLE_ALGORITHM_ID],
  }),
  stable_version_id: Type.String({ description: StableVersion, examples: [EXAMPLE_VERSION_ID] }),
  sticky: Sticky,
  applies_to: AppliesTo,
  rollback: nullable(named('GatewayRollback', Type.Object(rollbackFields, OF_ROLLBACK))),
  revision: Type.Integer({ description: 'Grows by one with each change.', examples: [1] }),
  created_at: timestamp('When it was made.'),
  updated_at: timestamp('When it last changed.'),
};

export const Route = named(
  'GatewayRoute',
  Type.Object({
    ...routeFields,
    versions: Type.Array(Type.Object({ ...weightFields, role: Role }), {
      description: 'Who gets which version.',
    }),
  }),
);
export type Route = Type.Static<typeof Route>;

export const RouteDetail = named(
  'GatewayRouteDetail',
  Type.Object({
    ...routeFields,
    versions: Type.Array(
      Type.Object({
        ...weightFields,
        role: Role,
        calls: Type.Integer({
          description: 'Calls through the gateway that ended after the last change of the route.',
        }),
        failed_calls: Type.Integer({ description: 'How many of them failed.' }),
      }),
      { description: 'Who gets which version, and how its calls ended.' },
    ),
    history: Type.Array(
      Type.Object({
        revision: Type.Integer({ description: 'The revision after the change.', examples: [1] }),
        action: Type.Enum(['set', 'promoted', 'rolled_back', 'taken_back', 'version_deleted'], {
          description: '`taken_back`: rolled back automatically, because the canary failed too often.',
        }),
        changed_by: nullable(
          Type.String({ description: 'A user; null for an automatic change.', examples: [EXAMPLE_USER_ID] }),
        ),
        reason: nullable(
          Type.String({ description: 'The reason that was given.', examples: ['Looks good'] }),
        ),
        stable_version_id: Type.String({
          description: 'The stable version from then on.',
          examples: [EXAMPLE_VERSION_ID],
        }),
        versions: Type.Array(Type.Object(weightFields), { description: 'The shares from then on.' }),
        changed_at: timestamp('When it changed.'),
      }),
      { description: 'Newest first, the last 50.' },
    ),
  }),
);
export type RouteDetail = Type.Static<typeof RouteDetail>;

export const RoutesAnswer = Type.Object({
  routes: Type.Array(Route, { description: 'Newest first.' }),
  total: Type.Integer({ description: 'All of them, on all pages together.', examples: [1] }),
});
