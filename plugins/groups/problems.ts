import { problem } from '../../core/index.ts';

export const GroupNotFound = problem({
  code: 'group_not_found',
  status: 404,
  title: 'No such group',
  description: 'No group has this id, or it was deleted.',
});

export const GroupNameTaken = problem({
  code: 'group_name_taken',
  status: 409,
  title: 'Another group has this name',
  description: 'Names of groups are unique without regard to case and width. Choose another one.',
});

export const MemberNotFound = problem({
  code: 'member_not_found',
  status: 404,
  title: 'No such account or member',
  description: 'No account has this id, or no administrator added it to the group.',
});
