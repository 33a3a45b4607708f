import { exportReply, Forbidden, rawContent, replyBytes, routesWith } from '../../core/index.ts';
import { AlgorithmNotCovered, CALL_SERIES, CallSeriesAnswer } from '../invocation/contract.ts';
import { CALL_COLUMNS } from './export.ts';
import { HISTORY } from './history.ts';
import {
  AlgorithmsAnswer,
  AlgorithmsQuery,
  ExportQuery,
  HistoryAnswer,
  HistoryQuery,
  StatisticsAnswer,
  StatisticsQuery,
  UserSeriesQuery,
} from './schemas.ts';
import { scopeOf, STATISTICS } from './statistics.ts';

const route = routesWith({
  history: HISTORY,
  statistics: STATISTICS,
  series: CALL_SERIES,
});

export const routes = [
  route({
    method: 'GET',
    path: '/history/user-calls',
    operationId: 'listUserCalls',
    summary: 'Lists your own calls, newest first',
    description:
      'Filters are combined with AND; either time bound may be used alone. An unknown status or algorithm matches nothing.',
    access: 'user',
    heedsResources: true,
    query: HistoryQuery,
    answers: HistoryAnswer,
    links: { call_id: '/history/0/id' },
    problems: [AlgorithmNotCovered],
    handle: async ({ principal, query }, { history }) => {
      const { content, total, nextCursor } = await history.page(principal, query);
      return replyBytes(content, { total, nextCursor });
    },
  }),
  route({
    method: 'GET',
    path: '/history/export',
    operationId: 'exportUserCalls',
    summary: 'Downloads your own calls as CSV or NDJSON',
    description:
      'All that match the filters, newest first, in one stream. In CSV, payloads are JSON, and a text that a ' +
      'spreadsheet would take for a formula begins with an apostrophe. NDJSON has a record on each line.',
    access: 'user',
    heedsResources: true,
    query: ExportQuery,
    answers: rawContent('text/csv; charset=utf-8', 'application/x-ndjson'),
    problems: [AlgorithmNotCovered],
    headers: { 'Content-Disposition': 'The name of the file.' },
    handle: ({ principal, query: { format, ...query } }, { history }) =>
      exportReply({ format, name: 'calls', columns: CALL_COLUMNS, pages: history.export(principal, query) }),
  }),
  route({
    method: 'GET',
    path: '/history/algorithms',
    operationId: 'listCalledAlgorithms',
    summary: 'Shows your own calls by algorithm',
    description: 'Of whole days in UTC, the most called first.',
    access: 'user',
    query: AlgorithmsQuery,
    answers: AlgorithmsAnswer,
    handle: ({ principal, query }, { statistics }) => statistics.byAlgorithm(principal, query),
  }),
  route({
    method: 'GET',
    path: '/history/statistics',
    operationId: 'getCallStatistics',
    summary: 'Shows counts, success rate and response time of calls',
    description: 'Of your own calls; for administrators of everybody, or of one `user_id`.',
    access: 'user',
    query: StatisticsQuery,
    answers: StatisticsAnswer,
    problems: [Forbidden],
    handle: ({ principal, query }, { statistics }) => statistics.of(principal, query),
  }),
  route({
    method: 'GET',
    path: '/history/series',
    operationId: 'getCallSeries',
    summary: 'Shows counts and response times of calls by minute, hour or day',
    description:
      'Of your own calls; for administrators of everybody, or of one `user_id`. At most 1,000 points. An unknown ' +
      'status, algorithm or version matches nothing.',
    access: 'user',
    query: UserSeriesQuery,
    answers: CallSeriesAnswer,
    problems: [Forbidden],
    handle: ({ principal, query }, { series }) => series.of(scopeOf(principal, query).userId, query),
  }),
];
