import { Forbidden, routesWith } from '../../../core/index.ts';
import { AlgorithmNotFound, SchemaTooCostly, VersionNotFound } from '../../catalogue/contract.ts';
import {
  AlgorithmInactive,
  CALL_HEADERS,
  CallRecordAnswer,
  CallRequestBody,
} from '../../invocation/contract.ts';
import { GATEWAY_COUNTERS } from '../counters/gateway-counters.ts';
import { REFUSAL_COUNTS } from '../counters/refusal-counts.ts';
import { DRY_RUN } from '../dry-run.ts';
import { GATEWAY } from '../gateway.ts';
import { Blocked, ConcurrencyLimited, RateLimited } from '../problems.ts';
import { CheckAnswer, CheckRequest, GatewayStatistics } from '../schemas.ts';

const route = routesWith({
  gateway: GATEWAY,
  counters: GATEWAY_COUNTERS,
  refusals: REFUSAL_COUNTS,
  dryRun: DRY_RUN,
});

export const callRoutes = [
  route({
    method: 'POST',
    path: '/gateway/call',
    operationId: 'callThroughGateway',
    summary: 'Calls an algorithm version under the controls of the gateway',
    description:
      'As `/algorithms/call`, behind block rules, rate limits, limits of calls at once, and circuit breakers. Answers ' +
      'carry `RateLimit-Policy` and `RateLimit`. Refused requests are counted and leave no record; a call that was not ' +
      'sent because the circuit of its endpoint is open is a record with `error_code: circuit_open`. The `version_id` ' +
      '`default` leaves the version to the route of the algorithm (the answer has `X-Vitrine-Route: stable` or `canary`), ' +
      'or else is its default version.',
    access: 'user',
    scope: 'call',
    body: CallRequestBody,
    bodyLimit: 'large',
    answers: CallRecordAnswer,
    headers: {
      ...CALL_HEADERS,
      'RateLimit-Policy': 'Each limit that holds for the caller: `"name";q=requests;w=seconds`.',
      RateLimit: 'What is left of each: `"name";r=requests;t=seconds`, `t` until the window ends.',
      'X-Vitrine-Route': '`stable` or `canary`, when the route of the algorithm chose the version.',
    },
    problems: [
      AlgorithmNotFound,
      VersionNotFound,
      AlgorithmInactive,
      Forbidden,
      SchemaTooCostly,
      Blocked,
      RateLimited,
      ConcurrencyLimited,
    ],
    handle: ({ principal, body, request }, { gateway }) => gateway.call(principal, body, request),
  }),
  route({
    method: 'GET',
    path: '/gateway/stats',
    operationId: 'getGatewayStatistics',
    summary: 'Shows what became of the requests to the gateway, on all instances together',
    description: 'For every signed-in user. The counters survive restarts.',
    access: 'user',
    answers: GatewayStatistics,
    handle: async (_input, { counters, refusals }) => {
      await refusals.stored();
      return counters.read();
    },
  }),
  route({
    method: 'POST',
    path: '/gateway/check',
    operationId: 'checkGateway',
    summary: 'Says which rule of the gateway would decide a call, without making it',
    description: 'Looks at the rules of the gateway alone, not at the algorithm, its state or its grants.',
    access: 'user',
    scope: 'call',
    body: CheckRequest,
    answers: CheckAnswer,
    problems: [Forbidden],
    handle: ({ principal, body, request }, { dryRun }) => dryRun.check(principal, request.ip, body),
  }),
];
