import { authorOf, Forbidden, MessageAnswer, routesWith } from '../../../core/index.ts';
import { ALGORITHM_PARAMETER, AlgorithmNotFound } from '../../catalogue/contract.ts';
import { PAYLOAD_POLICIES } from './policies.ts';
import { PayloadPolicyAnswer, PayloadPolicyBody } from './schemas.ts';

const route = routesWith({ policies: PAYLOAD_POLICIES });

const WHO = 'For administrators and those who manage the algorithm.';

export const payloadRoutes = [
  route({
    method: 'GET',
    path: '/algorithms/{algorithm_id}/payload-policy',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'getPayloadPolicy',
    summary: 'Shows what the records of an algorithm keep of input, params and output',
    description: `${WHO} By default they keep everything.`,
    access: 'user',
    answers: PayloadPolicyAnswer,
    problems: [AlgorithmNotFound, Forbidden],
    handle: ({ principal, path }, { policies }) => policies.find(principal, path.algorithm_id),
  }),
  route({
    method: 'PUT',
    path: '/algorithms/{algorithm_id}/payload-policy',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'updatePayloadPolicy',
    summary: 'Changes what the records of an algorithm keep; omitted fields stay unchanged',
    description:
      `${WHO} It holds for calls that begin afterwards: at once on this instance, within 2 s on others. Callers are ` +
      'answered in full; records that exist are not changed.',
    access: 'user',
    body: PayloadPolicyBody,
    answers: PayloadPolicyAnswer,
    problems: [AlgorithmNotFound, Forbidden],
    fixed: ({ path }) => ({ algorithm_id: path.algorithm_id }),
    handle: (input, { policies }) =>
      policies.change(input.principal, input.path.algorithm_id, input.body, authorOf(input)),
  }),
  route({
    method: 'DELETE',
    path: '/algorithms/{algorithm_id}/payload-policy',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'deletePayloadPolicy',
    summary: 'Lets the records of an algorithm keep everything again',
    description: WHO,
    access: 'user',
    answers: MessageAnswer,
    problems: [AlgorithmNotFound, Forbidden],
    handle: async (input, { policies }) => {
      await policies.remove(input.principal, input.path.algorithm_id, authorOf(input));
      return { message: 'Records of the algorithm keep everything from now on.' };
    },
  }),
];
