import { authorOf, MessageAnswer, routesWith } from '../../../core/index.ts';
import { AlgorithmNotFound } from '../../catalogue/contract.ts';
import { PolicyExists, PolicyNotFound, TooManyRules } from '../problems.ts';
import { POLICIES } from '../rules/policies.ts';
import { PoliciesAnswer, Policy, PolicyCreateRequest, PolicyUpdateRequest, RulesQuery } from '../schemas.ts';

const route = routesWith({ policies: POLICIES });

const POLICY_PARAMETER = { policy_id: { description: 'The `id` of a policy.' } };

export const policyRoutes = [
  route({
    method: 'GET',
    path: '/gateway/policies',
    operationId: 'listGatewayPolicies',
    summary: 'Lists the policies, newest first',
    description: 'For administrators. Limits from the settings are not listed.',
    access: 'admin',
    query: RulesQuery,
    answers: PoliciesAnswer,
    links: { policy_id: '/policies/0/id' },
    handle: ({ query }, { policies }) => policies.list(query),
  }),
  route({
    method: 'POST',
    path: '/gateway/policies',
    operationId: 'createGatewayPolicy',
    summary: 'Limits a user, an API key or an algorithm',
    description:
      'Each subject has at most one policy. One with `subject_id: null` applies to each user, key or algorithm without a ' +
      'policy of its own. A policy of users replaces the limit from the settings; keys and algorithms have none there.',
    access: 'admin',
    body: PolicyCreateRequest,
    answers: Policy,
    links: { policy_id: '/id' },
    problems: [PolicyExists, TooManyRules, AlgorithmNotFound],
    handle: (input, { policies }) => policies.create(authorOf(input), input.body),
  }),
  route({
    method: 'GET',
    path: '/gateway/policies/{policy_id}',
    parameters: POLICY_PARAMETER,
    operationId: 'getGatewayPolicy',
    summary: 'Shows a policy',
    description: 'For administrators.',
    access: 'admin',
    answers: Policy,
    problems: [PolicyNotFound],
    handle: ({ path }, { policies }) => policies.find(path.policy_id),
  }),
  route({
    method: 'PUT',
    path: '/gateway/policies/{policy_id}',
    parameters: POLICY_PARAMETER,
    operationId: 'updateGatewayPolicy',
    summary: 'Changes the given fields of a policy',
    description:
      'For administrators. Omitted fields stay unchanged; the change applies at once here and within 2 s on ' +
      'other instances.',
    access: 'admin',
    body: PolicyUpdateRequest,
    answers: Policy,
    problems: [PolicyNotFound, PolicyExists, AlgorithmNotFound],
    fixed: async ({ path }, { policies }) => {
      const { id, created_at } = await policies.find(path.policy_id);
      return { id, created_at };
    },
    handle: (input, { policies }) => policies.update(authorOf(input), input.path.policy_id, input.body),
  }),
  route({
    method: 'DELETE',
    path: '/gateway/policies/{policy_id}',
    parameters: POLICY_PARAMETER,
    operationId: 'deleteGatewayPolicy',
    summary: 'Deletes a policy',
    description:
      'For administrators. The policy with `subject_id: null` applies again, or else, for users, the limit from the settings.',
    access: 'admin',
    answers: MessageAnswer,
    problems: [PolicyNotFound],
    handle: async (input, { policies }) => {
      await policies.delete(authorOf(input), input.path.policy_id);
      return { message: 'The policy was deleted.' };
    },
  }),
];
