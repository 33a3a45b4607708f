import {
  CLOCK,
  Forbidden,
  HEALTH,
  isoTime,
  rawContent,
  reply,
  replyBytes,
  routesWith,
} from '../../core/index.ts';
import { ALGORITHM_PARAMETER, AlgorithmNotCovered, AlgorithmNotFound } from '../catalogue/contract.ts';
import { CallSeriesAnswer, SeriesQuery } from '../invocation/contract.ts';
import { LIVE_CALLS } from './live-calls.ts';
import { LOAD_SERIES } from './load-series.ts';
import { PERFORMANCE } from './performance.ts';
import { PerformanceUnavailable, TooManyStreams } from './problems.ts';
import {
  CallersAnswer,
  CallersQuery,
  EventsQuery,
  HealthAnswer,
  LoadAnswer,
  LoadQuery,
  PerformanceAnswer,
  PerformanceQuery,
  StateAnswer,
} from './schemas.ts';
import { SERIES } from './series.ts';
import { SYSTEM_LOAD } from './system-load.ts';

const route = routesWith({
  clock: CLOCK,
  health: HEALTH,
  load: SYSTEM_LOAD,
  loads: LOAD_SERIES,
  live: LIVE_CALLS,
  performance: PERFORMANCE,
  series: SERIES,
});

export const routes = [
  route({
    method: 'GET',
    path: '/health',
    probe: true,
    operationId: 'getHealth',
    summary: 'Tells how the service is doing, in one word',
    description:
      'The `status` of `/monitoring/health`, at most a second old; with 503 when it is `unhealthy`.',
    access: 'anonymous',
    answers: StateAnswer,
    otherStatuses: { 503: 'It is `unhealthy`.' },
    handle: async (_input, { health }) => {
      const { state } = await health.report();
      return reply({ status: state }, { status: state === 'unhealthy' ? 503 : 200 });
    },
  }),
  route({
    method: 'GET',
    path: '/monitoring/health',
    operationId: 'getSystemHealth',
    summary: 'Tells how the service and its machine are doing',
    description: 'For every signed-in user. Figures are measured every few seconds.',
    access: 'user',
    answers: HealthAnswer,
    handle: async (_input, { clock, health, load }) => {
      const { state } = await health.report();
      return { status: state, timestamp: isoTime(clock.now()), system_metrics: load.now() };
    },
  }),
  route({
    method: 'GET',
    path: '/monitoring/performance/algorithm/{algorithm_id}',
    parameters: ALGORITHM_PARAMETER,
    operationId: 'getAlgorithmPerformance',
    summary: 'Shows how often an algorithm was called, how it ended and how long it took',
    description:
      'Those who manage the algorithm also see with which codes calls failed. The figures of a deleted algorithm stay, for ' +
      'administrators.',
    access: 'user',
    heedsResources: true,
    query: PerformanceQuery,
    answers: PerformanceAnswer,
    problems: [AlgorithmNotFound, AlgorithmNotCovered, PerformanceUnavailable],
    handle: ({ principal, path, query }, { performance }) =>
      performance.of(principal, path.algorithm_id, query.days),
  }),
  route({
    method: 'GET',
    path: '/monitoring/series',
    operationId: 'getPerformanceSeries',
    summary: 'Shows counts and response times of all calls by minute, hour or day',
    description:
      'Of everybody, for administrators; those who manage an algorithm must name it. At most 1,000 points. The figures ' +
      'of a deleted algorithm stay, for administrators.',
    access: 'user',
    query: SeriesQuery,
    answers: CallSeriesAnswer,
    problems: [Forbidden, AlgorithmNotFound, PerformanceUnavailable],
    handle: ({ principal, query }, { series }) => series.of(principal, query),
  }),
  route({
    method: 'GET',
    path: '/monitoring/callers',
    operationId: 'getBusiestCallers',
    summary: 'Shows who called most in a time',
    description:
      'For administrators; those who manage an algorithm must name it. The time is as that of `/monitoring/series`. ' +
      'The calls of deleted accounts stay unless their records were deleted as well.',
    access: 'user',
    query: CallersQuery,
    answers: CallersAnswer,
    problems: [Forbidden, AlgorithmNotFound, PerformanceUnavailable],
    handle: ({ principal, query }, { series }) => series.callers(principal, query),
  }),
  route({
    method: 'GET',
    path: '/monitoring/load',
    operationId: 'getLoadSeries',
    summary: 'Shows the load of the service and its machine by minute, hour or day',
    description: 'For administrators. The time is as that of `/monitoring/series`.',
    access: 'admin',
    query: LoadQuery,
    answers: LoadAnswer,
    problems: [PerformanceUnavailable],
    handle: ({ query }, { loads }) => loads.of(query),
  }),
  route({
    method: 'GET',
    path: '/monitoring/events',
    operationId: 'watchCalls',
    summary: 'Tells of calls as they end, in a stream of server-sent events',
    description:
      'Each event `calls` has `total_calls` and `status_counts` of all time: the first one at once, others when they have ' +
      'changed, one a second at most. They say when to ask for other figures. A comment is sent every 15 seconds. Of ' +
      'everybody, for administrators; those who manage an algorithm must name it. When the right or the session ends, so ' +
      'does the stream, with an event `ended` that has the `code` of the problem.',
    access: 'user',
    query: EventsQuery,
    answers: rawContent('text/event-stream; charset=utf-8'),
    headers: { 'X-Accel-Buffering': '`no`: the proxy nginx is to pass on each event at once.' },
    problems: [Forbidden, AlgorithmNotFound, PerformanceUnavailable, TooManyStreams],
    handle: async ({ principal, query, request, admitAgain }, { live }) =>
      replyBytes(await live.open(principal, query, request, admitAgain), {
        headers: { 'X-Accel-Buffering': 'no' },
      }),
  }),
];
