import { named, PagingQuery, timestamp, Type, type Static } from '../../core/index.ts';
import type { AccessKind } from '../catalogue/contract.ts';

const Kind = Type.Unsafe<AccessKind>(
  Type.Enum(['read', 'execute', 'manage'], {
    description:
      '`read`: see the algorithm, when it is private. `execute`: call it. `manage`: change it and its grants. `manage` ' +
      'includes `execute`, `execute` includes `read`.',
  }),
);
const Id = Type.String({ maxLength: 200 });

export const CheckBody = Type.Object({ algorithm_id: Id, permission_type: Kind });

export const CheckAnswer = Type.Object({
  has_permission: Type.Boolean(),
  user_id: Type.String({ description: 'Who asked: the answer is about them.' }),
  algorithm_id: Type.String(),
  permission_type: Kind,
});

export const NewGrantBody = Type.Object({ algorithm_id: Id, user_id: Id, permission_type: Kind });

export const GrantAnswer = named(
  'Grant',
  Type.Object({
    id: Type.String(),
    algorithm_id: Type.String(),
    user_id: Type.String({ description: 'Who holds the right.' }),
    permission_type: Kind,
    granted_by: Type.String({ description: 'The account that granted it.' }),
    created_at: timestamp(),
  }),
);

export const GrantListQuery = PagingQuery({
  algorithm_id: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only grants on this algorithm; administrators may leave it out.',
    }),
  ),
  user_id: Type.Optional(Type.String({ maxLength: 200, description: 'Only grants to this account.' })),
});

export const GrantListAnswer = Type.Object({
  grants: Type.Array(GrantAnswer, { description: 'Newest first.' }),
  total: Type.Integer({ description: 'How many grants match, on all pages together.' }),
});

export type NewGrant = Static<typeof NewGrantBody>;
export type Grant = Static<typeof GrantAnswer>;
export type GrantFilter = Static<typeof GrantListQuery>;
