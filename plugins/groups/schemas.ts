import { named, PagingQuery, timestamp, Type } from '../../core/index.ts';

const EXAMPLE_GROUP_ID = '01890a5d-ac96-774b-bcce-b302099a8058';
const EXAMPLE_USER_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

export const LONGEST_NAME = 100;

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: LONGEST_NAME,
    format: 'name',
    pattern: '\\S',
    description: 'Unique without regard to case and width.',
    examples: ['Radiology'],
  }),
  description: Type.Optional(
    Type.String({ maxLength: 1000, description: 'What it is for.', examples: ['Everyone in radiology'] }),
  ),
};

export const NewGroup = named('NewGroup', Type.Object(fields));
export const GroupChanges = Type.Partial(Type.Object(fields), {
  examples: [{ description: 'Everyone in radiology, also guests' }],
});

export const Group = named(
  'Group',
  Type.Object({
    id: Type.String({ description: 'The identifier of the group.', examples: [EXAMPLE_GROUP_ID] }),
    name: Type.String({ description: 'What people call it.', examples: ['Radiology'] }),
    description: Type.String({ description: 'What it is for.', examples: ['Everyone in radiology'] }),
    members: Type.Integer({ description: 'How many accounts belong to it.', examples: [1] }),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When its name or description last changed.'),
  }),
);

export const GroupsQuery = PagingQuery({
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only groups whose name contains this, in any case.' }),
  ),
  user_id: Type.Optional(Type.String({ maxLength: 200, description: 'Only groups of this account.' })),
});

export const GroupList = Type.Object({
  groups: Type.Array(Group, { description: 'By name.' }),
  total: Type.Integer({ description: 'How many match, on all pages together.', examples: [1] }),
});

const Member = Type.Object({
  user_id: Type.String({ description: 'The account.', examples: [EXAMPLE_USER_ID] }),
  username: Type.String({
    description: 'Its name; empty when the account was just deleted.',
    examples: ['grace'],
  }),
  sources: Type.Array(Type.String(), {
    description:
      '`manual`: an administrator added it. Otherwise the plugin that keeps the membership, such as single sign-on.',
    examples: [['manual']],
  }),
  since: timestamp('Since when it is a member.'),
});

export const MembersQuery = PagingQuery({});

export const MemberList = Type.Object({
  members: Type.Array(Member, { description: 'In the order in which they were added.' }),
  total: Type.Integer({ description: 'How many there are, on all pages together.', examples: [1] }),
});

export type NewGroup = Type.Static<typeof NewGroup>;
export type GroupChanges = Type.Static<typeof GroupChanges>;
export type GroupAnswer = Type.Static<typeof Group>;
export type GroupsQuery = Type.Static<typeof GroupsQuery>;
export type GroupList = Type.Static<typeof GroupList>;
export type MembersQuery = Type.Static<typeof MembersQuery>;
export type MemberList = Type.Static<typeof MemberList>;
