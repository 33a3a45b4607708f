import { routesWith, replyBytes } from '../../core/index.ts';
import { AlgorithmNotCovered, demandCovered } from '../catalogue/contract.ts';
import {
  CALL_HEADERS,
  CALL_LOG,
  CALL_PROBLEMS,
  CallNotFound,
  CallRecordAnswer,
  CallRequestBody,
  contextOf,
  INVOKER,
} from './contract.ts';

const route = routesWith({ invoker: INVOKER, calls: CALL_LOG });

export const routes = [
  route({
    method: 'POST',
    path: '/algorithms/call',
    operationId: 'callAlgorithm',
    summary: 'Calls an algorithm version and records the call',
    description:
      'Answers the record of the call once it is durable. A call that reached the point of asking the endpoint is ' +
      'answered with 200 whatever came of it: `status` is `failed` then, and `error_code` and `error_message` say why. ' +
      'The `version_id` `default` stands for the default version of the algorithm. ' +
      'Where the gateway guards every call, its limits hold here, and the answer carries `RateLimit-Policy` and ' +
      '`RateLimit`.',
    access: 'user',
    scope: 'call',
    heedsResources: true,
    body: CallRequestBody,
    bodyLimit: 'large',
    answers: CallRecordAnswer,
    links: { call_id: '/id' },
    headers: CALL_HEADERS,
    problems: CALL_PROBLEMS,
    handle: ({ principal, body, request }, { invoker }) =>
      invoker.answer(principal, body, contextOf(request, 'direct')),
  }),
  route({
    method: 'GET',
    path: '/algorithms/calls/{call_id}',
    parameters: { call_id: { description: 'The `id` of a call record.' } },
    operationId: 'getCall',
    summary: 'Shows the record of a call',
    description: 'For its caller and for administrators; to others it does not exist.',
    access: 'user',
    heedsResources: true,
    answers: CallRecordAnswer,
    problems: [CallNotFound, AlgorithmNotCovered],
    handle: async ({ principal, path }, { calls }) => {
      const call = await calls.entry(path.call_id);
      const isTheirs = call?.user_id === principal.userId || principal.role === 'admin';
      if (!call || !isTheirs) throw CallNotFound(`No call of yours has the id "${path.call_id}".`);
      demandCovered(principal.resources, call.algorithm_id, 'algorithm of this call');
      return replyBytes(call.json);
    },
  }),
];
