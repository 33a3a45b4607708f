import { problem } from '../../core/index.ts';

export const PolicyNotFound = problem({
  code: 'gateway_policy_not_found',
  status: 404,
  title: 'No such policy',
  description: 'No policy of the gateway has this id, or it was deleted.',
});

export const PolicyExists = problem({
  code: 'gateway_policy_exists',
  status: 409,
  title: 'There is such a policy already',
  description: 'One policy exists for each subject. Update that one, or delete it first.',
});

export const BlockNotFound = problem({
  code: 'gateway_block_not_found',
  status: 404,
  title: 'No such block rule',
  description: 'No block rule of the gateway has this id, or it was deleted.',
});

export const TooManyRules = problem({
  code: 'gateway_too_many_rules',
  status: 409,
  title: 'Too many rules',
  description:
    'The gateway keeps its rules in memory and holds no more of them. Delete those that are not needed.',
});

export const RouteNotFound = problem({
  code: 'gateway_route_not_found',
  status: 404,
  title: 'No such route',
  description: 'The gateway has no route for this algorithm, or it was deleted.',
});

export const RouteConflict = problem({
  code: 'gateway_route_conflict',
  status: 409,
  title: 'The route has changed meanwhile',
  description:
    'The route is not as the request supposes: it was changed, or a canary was taken back. Read it, and try again.',
});

export const NoCanary = problem({
  code: 'gateway_route_without_canary',
  status: 409,
  title: 'The route has no canary',
  description:
    'All versions of the route but the stable one are canaries, and it has no other. Set its versions first.',
});

export const gatewayProblems = [
  PolicyNotFound,
  PolicyExists,
  BlockNotFound,
  TooManyRules,
  RouteNotFound,
  RouteConflict,
  NoCanary,
];
