import { authorOf, Forbidden, MessageAnswer, routesWith } from '../../core/index.ts';
import {
  ALGORITHM_RIGHTS,
  AlgorithmNotCovered,
  AlgorithmNotFound,
  CATALOGUE,
} from '../catalogue/contract.ts';
import { GRANT_SERVICE } from './grant-service.ts';
import { GranteeNotFound, GrantExists, GrantNotFound } from './problems.ts';
import {
  CheckAnswer,
  CheckBody,
  GrantAnswer,
  GrantChangesBody,
  GrantListAnswer,
  GrantListQuery,
  NewGrantBody,
} from './schemas.ts';

const route = routesWith({ grants: GRANT_SERVICE, catalogue: CATALOGUE, rights: ALGORITHM_RIGHTS });

export const routes = [
  route({
    method: 'POST',
    path: '/permissions/check',
    operationId: 'checkPermission',
    summary: 'Tells whether you may do something with an algorithm',
    description: 'The answer is about the caller. Nothing is called and nothing is recorded.',
    access: 'user',
    scope: 'call',
    heedsResources: true,
    body: CheckBody,
    answers: CheckAnswer,
    problems: [AlgorithmNotFound, AlgorithmNotCovered],
    handle: async ({ body: { algorithm_id, permission_type }, principal }, { catalogue, rights }) => {
      const algorithm = await catalogue.algorithm(algorithm_id, principal);
      const has_permission = await rights.may(principal, algorithm, permission_type);
      return { has_permission, user_id: principal.userId, algorithm_id, permission_type };
    },
  }),
  route({
    method: 'POST',
    path: '/permissions/grants',
    operationId: 'createGrant',
    summary: 'Grants an account a right on an algorithm',
    description:
      'For administrators and those who manage the algorithm. The latter cannot grant rights to themselves, nor `manage` to ' +
      'everyone or to a group that they belong to.',
    access: 'user',
    body: NewGrantBody,
    answers: GrantAnswer,
    links: { grant_id: '/id' },
    problems: [AlgorithmNotFound, Forbidden, GranteeNotFound, GrantExists],
    handle: (input, { grants }) => grants.grant(input.principal, input.body, authorOf(input)),
  }),
  route({
    method: 'GET',
    path: '/permissions/grants',
    operationId: 'listGrants',
    summary: 'Lists the grants on an algorithm, newest first',
    description: 'For those who manage the algorithm; administrators may list the grants on all of them.',
    access: 'user',
    query: GrantListQuery,
    answers: GrantListAnswer,
    links: { grant_id: '/grants/0/id' },
    problems: [AlgorithmNotFound, Forbidden],
    handle: ({ query, principal }, { grants }) => grants.list(principal, query),
  }),
  route({
    method: 'PATCH',
    path: '/permissions/grants/{grant_id}',
    parameters: { grant_id: { description: 'The `id` of a grant.' } },
    operationId: 'changeGrant',
    summary: 'Changes the right of a grant, or its end; omitted fields stay unchanged',
    description:
      'For administrators and those who manage the algorithm; the latter cannot change their own grant, nor one of ' +
      '`manage` to everyone or to a group that they belong to.',
    access: 'user',
    body: GrantChangesBody,
    answers: GrantAnswer,
    problems: [GrantNotFound, GrantExists],
    fixed: async ({ path, principal }, { grants }) => {
      const { permission_type: _, expires_at: _end, ...fixed } = await grants.find(principal, path.grant_id);
      return fixed;
    },
    handle: (input, { grants }) =>
      grants.change(input.principal, input.path.grant_id, input.body, authorOf(input)),
  }),
  route({
    method: 'DELETE',
    path: '/permissions/grants/{grant_id}',
    parameters: { grant_id: { description: 'The `id` of a grant.' } },
    operationId: 'deleteGrant',
    summary: 'Takes a granted right back, at once',
    description:
      'For administrators and those who manage the algorithm. The next call of the account is refused; ' +
      'calls that run are not interrupted.',
    access: 'user',
    answers: MessageAnswer,
    problems: [GrantNotFound],
    handle: async (input, { grants }) => {
      await grants.revoke(input.principal, input.path.grant_id, authorOf(input));
      return { message: 'The grant was deleted.' };
    },
  }),
];
