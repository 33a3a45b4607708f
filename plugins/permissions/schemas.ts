import { named, PagingQuery, timestamp, Type, type Static } from '../../core/index.ts';
import { EXAMPLE_ALGORITHM_ID, type AccessKind } from '../catalogue/contract.ts';

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

export const NewGrantBody = Type.Object({
  algorithm_id: AlgorithmId,
  user_id: Type.String({ maxLength: 200, description: 'The account that gets the right.' }),
  permission_type: Kind,
});

export const GrantAnswer = named(
  'Grant',
  Type.Object({
    id: Type.String({ description: 'The identifier of the grant.' }),
    algorithm_id: AlgorithmId,
    user_id: Type.String({ description: 'Who holds the right.' }),
    permission_type: Kind,
    granted_by: Type.String({
      description: 'The account that granted it.',
      examples: ['01890a5d-ac96-774b-bcce-b302099a8057'],
    }),
    created_at: timestamp('When it was granted.'),
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
  total: Type.Integer({ description: 'How many grants match, on all pages together.', examples: [1] }),
});

export type NewGrant = Static<typeof NewGrantBody>;
export type Grant = Static<typeof GrantAnswer>;
export type GrantFilter = Static<typeof GrantListQuery>;
