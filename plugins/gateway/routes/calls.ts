import { CLOCK, DATABASE, Forbidden, routesWith } from '../../../core/index.ts';
import { ALGORITHM_RIGHTS, AlgorithmNotFound, CATALOGUE, demandManager } from '../../catalogue/contract.ts';
import {
  CALL_HEADERS,
  CALL_PROBLEMS,
  CallRecordAnswer,
  CallRequestBody,
  contextOf,
  INVOKER,
  TIME_ROLLUPS,
} from '../../invocation/contract.ts';
import { gatewayStatistics } from '../counters/gateway-counters.ts';
import { REFUSAL_COUNTS } from '../counters/refusal-counts.ts';
import { refusalSeries } from '../counters/refusal-series.ts';
import { DRY_RUN } from '../dry-run.ts';
import { CheckAnswer, CheckRequest, GatewayStatistics, RefusalsAnswer, RefusalsQuery } from '../schemas.ts';

const route = routesWith({
  invoker: INVOKER,
  refusals: REFUSAL_COUNTS,
  dryRun: DRY_RUN,
  database: DATABASE,
  rollups: TIME_ROLLUPS,
  clock: CLOCK,
  catalogue: CATALOGUE,
  rights: ALGORITHM_RIGHTS,
});

export const callRoutes = [
  route({
    method: 'POST',
    path: '/gateway/call',
    operationId: 'callThroughGateway',
    summary: 'Calls an algorithm version under the controls of the gateway',
    description:
      'As `/algorithms/call`, always behind block rules, rate limits, limits of calls at once, and circuit breakers; the ' +
      'setting `gateway.guards` says whether they hold there as well. Answers carry `RateLimit-Policy` and `RateLimit`. ' +
      'Refused requests are counted and leave no record; a call that was not sent because the circuit of its endpoint ' +
      'is open is a record with `error_code: circuit_open`. The `version_id` ' +
      '`default` leaves the version to the route of the algorithm (the answer has `X-Vitrine-Route: stable` or `canary`), ' +
      'or else is its default version.',
    access: 'user',
    scope: 'call',
    heedsResources: true,
    body: CallRequestBody,
    bodyLimit: 'large',
    answers: CallRecordAnswer,
    links: { call_id: '/id' },
    headers: {
      ...CALL_HEADERS,
      'X-Vitrine-Route': '`stable` or `canary`, when the route of the algorithm chose the version.',
    },
    problems: CALL_PROBLEMS,
    handle: ({ principal, body, request }, { invoker }) =>
      invoker.answer(principal, body, contextOf(request, 'gateway')),
  }),
  route({
    method: 'GET',
    path: '/gateway/stats',
    operationId: 'getGatewayStatistics',
    summary: 'Shows what became of the requests to the gateway, on all instances together',
    description:
      'For every signed-in user. Counts `/gateway/call`; `direct` counts all other calls. The counters survive restarts.',
    access: 'user',
    answers: GatewayStatistics,
    handle: async (_input, { database, clock, refusals }) => {
      await refusals.stored();
      return gatewayStatistics(database, clock);
    },
  }),
  route({
    method: 'GET',
    path: '/gateway/refusals',
    operationId: 'getGatewayRefusals',
    summary: 'Shows how many requests were refused by minute, hour or day',
    description:
      'By code: `blocked`, `rate_limited` or `concurrency_limited`. Of everybody, for administrators; those who manage an ' +
      'algorithm must name it. A request that is refused before its algorithm is looked up counts for it only where that is ' +
      'known already, and never for one that its caller does not see; otherwise it counts only in the total.',
    access: 'user',
    query: RefusalsQuery,
    answers: RefusalsAnswer,
    problems: [Forbidden, AlgorithmNotFound],
    handle: async ({ principal, query }, { refusals, ...deps }) => {
      await demandManager(deps, principal, query.algorithm_id);
      await refusals.stored();
      return refusalSeries(deps, query);
    },
  }),
  route({
    method: 'POST',
    path: '/gateway/check',
    operationId: 'checkGateway',
    summary: 'Says what a call would meet, without making it',
    description:
      'Looks at block rules, limits and circuits, and, when an algorithm is named, at whether the caller may call it ' +
      'now: `code` is that of the refusal, such as `algorithm_not_found`, `algorithm_inactive` or `forbidden`. Spends ' +
      'and counts nothing. Params and input are not checked.',
    access: 'user',
    scope: 'call',
    heedsResources: true,
    body: CheckRequest,
    answers: CheckAnswer,
    problems: [Forbidden],
    handle: ({ principal, body, request }, { dryRun }) => dryRun.check(principal, request.ip, body),
  }),
];
