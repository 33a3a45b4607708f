import { Forbidden, replyBytes, routesWith } from '../../core/index.ts';
import { HISTORY } from './history.ts';
import { HistoryAnswer, HistoryQuery, StatisticsAnswer, StatisticsQuery } from './schemas.ts';
import { STATISTICS } from './statistics.ts';

const route = routesWith({ history: HISTORY, statistics: STATISTICS });

export const routes = [
  route({
    method: 'GET',
    path: '/history/user-calls',
    operationId: 'listUserCalls',
    summary: 'Lists your own calls, newest first',
    description:
      'Filters are combined with AND; either time bound may be used alone. An unknown status or algorithm matches nothing.',
    access: 'user',
    query: HistoryQuery,
    answers: HistoryAnswer,
    handle: async ({ principal, query }, { history }) => {
      const { content, total } = await history.page(principal, query);
      return replyBytes(content, { total });
    },
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
];
