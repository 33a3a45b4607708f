import { problem } from '../../core/index.ts';

export const Blocked = problem({
  code: 'blocked',
  status: 403,
  title: 'Blocked by a rule of the gateway',
  description:
    'An administrator blocked this user, key, network or algorithm. `reason` says why, `blocked_until` until when.',
});

export const RateLimited = problem({
  code: 'rate_limited',
  status: 429,
  title: 'Too many requests',
  description: 'The limit of requests within a window is used up. Try again after `Retry-After` seconds.',
});

export const ConcurrencyLimited = problem({
  code: 'concurrency_limited',
  status: 429,
  title: 'Too many calls at once',
  description:
    'As many calls of the version, or by a policy of its algorithm, as allowed are under way, and the queue is full. Try again after `Retry-After` seconds.',
});

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
  Blocked,
  RateLimited,
  ConcurrencyLimited,
  PolicyNotFound,
  PolicyExists,
  BlockNotFound,
  TooManyRules,
  RouteNotFound,
  RouteConflict,
  NoCanary,
];
