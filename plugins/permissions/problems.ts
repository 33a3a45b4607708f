import { problem } from '../../core/index.ts';

export const GrantNotFound = problem({
  code: 'grant_not_found',
  status: 404,
  title: 'No such grant',
  description: 'No grant on an algorithm that you manage has this id.',
});

export const GrantExists = problem({
  code: 'grant_exists',
  status: 409,
  title: 'The account has this grant already',
  description:
    'The right on the algorithm was granted before; or those who manage it wanted to grant it to themselves, which only administrators may. Nothing was changed.',
});

export const GranteeNotFound = problem({
  code: 'grantee_not_found',
  status: 404,
  title: 'No such account or group',
  description: 'No account or group has the id to which a right was to be granted.',
});
