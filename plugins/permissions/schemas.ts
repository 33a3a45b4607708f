import { named, nullable, PagingQuery, timestamp, Type } from '../../core/index.ts';
import { EXAMPLE_ALGORITHM_ID, type AccessKind } from '../catalogue/contract.ts';

const EXAMPLE_USER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

export const Kind = named(
  'PermissionType',
  Type.Unsafe<AccessKind>(
    Type.Enum(['read', 'execute', 'manage'], {
      description:
        '`read`: see the algorithm, when it is private. `execute`: call it. `manage`: change it and its grants. `manage` ' +
        'includes `execute`, `execute` includes `read`.',
      examples: ['execute'],
    }),
  ),
);
const AlgorithmId = Type.String({
  maxLength: 200,
  description: 'The algorithm.',
  examples: [EXAMPLE_ALGORITHM_ID],
});

export const CheckBody = Type.Object({ algorithm_id: AlgorithmId, permission_type: Kind });

export const CheckAnswer = Type.Object({
  has_permission: Type.Boolean({ description: 'Whether the caller may.' }),
  user_id: Type.String({ description: 'Who asked: the answer is about them.' }),
  algorithm_id: AlgorithmId,
  permission_type: Kind,
});

export const NewGrantBody = Type.Object(
  {
    algorithm_id: AlgorithmId,
    user_id: Type.Optional(Type.String({ maxLength: 200, description: 'The account that gets the right.' })),
    group_id: Type.Optional(
      Type.String({ maxLength: 200, description: 'Instead of an account: the group whose members get it.' }),
    ),
    everyone: Type.Optional(
      Type.Literal(true, { description: 'Instead of an account: every account gets it, also future ones.' }),
    ),
    permission_type: Kind,
    expires_at: Type.Optional(nullable(timestamp('When the right ends by itself; never by default.', null))),
  },
  {
    examples: [{ algorithm_id: EXAMPLE_ALGORITHM_ID, user_id: EXAMPLE_USER_ID, permission_type: 'execute' }],
  },
);

export const GrantChangesBody = Type.Object(
  {
    permission_type: Type.Optional(Kind),
    expires_at: Type.Optional(nullable(timestamp('When the right ends by itself; null for never.', null))),
  },
  { examples: [{ permission_type: 'read' }] },
);

export const GrantAnswer = named(
  'Grant',
  Type.Object({
    id: Type.String({ description: 'The identifier of the grant.' }),
    algorithm_id: AlgorithmId,
    user_id: nullable(
      Type.String({
        description: 'The account that holds the right; null for a group or everyone.',
        examples: [EXAMPLE_USER_ID],
      }),
    ),
    group_id: nullable(Type.String({ description: 'The group that holds it.', examples: [null] })),
    everyone: Type.Boolean({ description: 'Whether every account holds it.', examples: [false] }),
    permission_type: Kind,
    granted_by: Type.String({
      description: 'The account that granted it.',
      examples: [EXAMPLE_USER_ID],
    }),
    created_at: timestamp('When it was granted.'),
    expires_at: nullable(timestamp('From then on it counts no more; null for never.', null)),
  }),
);

export const GrantListQuery = PagingQuery({
  algorithm_id: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only grants on this algorithm; administrators may leave it out.',
    }),
  ),
  user_id: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only grants to this account itself, not to its groups.' }),
  ),
  group_id: Type.Optional(Type.String({ maxLength: 200, description: 'Only grants to this group.' })),
});

export const GrantListAnswer = Type.Object({
  grants: Type.Array(GrantAnswer, { description: 'Newest first.' }),
  total: Type.Integer({ description: 'How many grants match, on all pages together.', examples: [1] }),
});

export type GrantChanges = Type.Static<typeof GrantChangesBody>;
export type NewGrant = Type.Static<typeof NewGrantBody>;
export type Grant = Type.Static<typeof GrantAnswer>;
export type GrantFilter = Type.Static<typeof GrantListQuery>;
