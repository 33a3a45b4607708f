import { authorOf, MessageAnswer, routesWith } from '../../core/index.ts';
import { GROUP_SERVICE } from './groups.ts';
import { GroupNameTaken, GroupNotFound, MemberNotFound } from './problems.ts';
import {
  Group,
  GroupChanges,
  GroupList,
  GroupsQuery,
  MemberList,
  MembersQuery,
  NewGroup,
} from './schemas.ts';

const route = routesWith({ groups: GROUP_SERVICE });

const GROUP = { group_id: { description: 'The `id` of a group.' } };
const MEMBER = { ...GROUP, user_id: { description: 'The `id` of an account.' } };

const REMOVED =
  'The account was removed from the group, unless single sign-on or another plugin keeps it there.';

export const routes = [
  route({
    method: 'POST',
    path: '/groups',
    operationId: 'createGroup',
    summary: 'Creates a group of accounts',
    description: 'For administrators. A group can be granted rights on algorithms like an account.',
    access: 'admin',
    body: NewGroup,
    answers: Group,
    links: { group_id: '/id' },
    problems: [GroupNameTaken],
    handle: (input, { groups }) => groups.create(input.body, authorOf(input)),
  }),
  route({
    method: 'GET',
    path: '/groups',
    operationId: 'listGroups',
    summary: 'Lists groups by name',
    description: 'For administrators.',
    access: 'admin',
    query: GroupsQuery,
    answers: GroupList,
    links: { group_id: '/groups/0/id' },
    handle: ({ query }, { groups }) => groups.list(query),
  }),
  route({
    method: 'GET',
    path: '/groups/{group_id}',
    parameters: GROUP,
    operationId: 'getGroup',
    summary: 'Shows a group',
    description: 'For administrators.',
    access: 'admin',
    answers: Group,
    problems: [GroupNotFound],
    handle: ({ path }, { groups }) => groups.find(path.group_id),
  }),
  route({
    method: 'PATCH',
    path: '/groups/{group_id}',
    parameters: GROUP,
    operationId: 'changeGroup',
    summary: 'Changes the name or description of a group',
    description: 'For administrators.',
    access: 'admin',
    body: GroupChanges,
    answers: Group,
    problems: [GroupNotFound, GroupNameTaken],
    fixed: async ({ path }, { groups }) => {
      const { id, members, created_at } = await groups.find(path.group_id);
      return { id, members, created_at };
    },
    handle: (input, { groups }) => groups.change(input.path.group_id, input.body, authorOf(input)),
  }),
  route({
    method: 'DELETE',
    path: '/groups/{group_id}',
    parameters: GROUP,
    operationId: 'deleteGroup',
    summary: 'Deletes a group and the rights that it was granted',
    description: 'For administrators. Its members stay what they are without it.',
    access: 'admin',
    answers: MessageAnswer,
    example: { answer: { message: 'The group was deleted.' } },
    problems: [GroupNotFound],
    handle: async (input, { groups }) => {
      await groups.remove(input.path.group_id, authorOf(input));
      return { message: 'The group was deleted.' };
    },
  }),
  route({
    method: 'GET',
    path: '/groups/{group_id}/members',
    parameters: GROUP,
    operationId: 'listGroupMembers',
    summary: 'Lists the members of a group',
    description: 'For administrators.',
    access: 'admin',
    query: MembersQuery,
    answers: MemberList,
    problems: [GroupNotFound],
    handle: ({ path, query }, { groups }) => groups.members(path.group_id, query),
  }),
  route({
    method: 'PUT',
    path: '/groups/{group_id}/members/{user_id}',
    parameters: MEMBER,
    operationId: 'addGroupMember',
    summary: 'Makes an account a member of a group',
    description:
      'For administrators. It has the rights of the group at once, on other instances within two seconds.',
    access: 'admin',
    answers: MessageAnswer,
    example: { answer: { message: 'The account is a member of the group.' } },
    problems: [GroupNotFound, MemberNotFound],
    handle: async (input, { groups }) => {
      await groups.addMember(input.path.group_id, input.path.user_id, authorOf(input));
      return { message: 'The account is a member of the group.' };
    },
  }),
  route({
    method: 'DELETE',
    path: '/groups/{group_id}/members/{user_id}',
    parameters: MEMBER,
    operationId: 'removeGroupMember',
    summary: 'Takes an account out of a group',
    description:
      'For administrators. A membership that a plugin keeps, such as single sign-on, ends only there.',
    access: 'admin',
    answers: MessageAnswer,
    example: { answer: { message: REMOVED } },
    problems: [GroupNotFound, MemberNotFound],
    handle: async (input, { groups }) => {
      await groups.removeMember(input.path.group_id, input.path.user_id, authorOf(input));
      return { message: REMOVED };
    },
  }),
];
