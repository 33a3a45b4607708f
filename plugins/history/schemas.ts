import { ExportFormat, named, nullable, PagingQuery, Type } from '../../core/index.ts';
import { CallRecordAnswer, SeriesQuery } from '../invocation/contract.ts';

const date = (description: string) => Type.Optional(Type.String({ maxLength: 64, description: description }));

const filters = {
  algorithm_id: Type.Optional(Type.String({ description: 'Only calls of this algorithm.' })),
  status: Type.Optional(
    Type.String({ description: 'Only calls with this status: `success`, `failed` or `running`.' }),
  ),
  start_date: date('Only calls begun then or later: a date (from 00:00 UTC) or a date-time.'),
  end_date: date('Only calls begun then or before: a date (to its end, UTC) or a date-time.'),
};

export const HistoryQuery = PagingQuery({
  ...filters,
  cursor: Type.Optional(
    Type.String({ description: '`next_cursor` of the page before: as fast on any page as on the first.' }),
  ),
});
export type HistoryQuery = Type.Static<typeof HistoryQuery>;

export const HistoryAnswer = named(
  'CallHistory',
  Type.Object({
    history: Type.Array(CallRecordAnswer, { description: 'Newest first.' }),
    count: Type.Integer({ description: 'Entries in this answer.', examples: [1] }),
    skip: Type.Integer({ description: 'As it was asked for.' }),
    limit: Type.Integer({ description: 'As it was asked for.', examples: [100] }),
    total: Type.Integer({ description: 'All entries that match.', examples: [1] }),
    next_cursor: nullable(Type.String({ description: 'Leads to the next page; null on the last one.' })),
  }),
);

export const ExportQuery = Type.Object(
  {
    format: ExportFormat,
    ...filters,
  },
  { additionalProperties: false },
);

/** Which of their calls a user asks for. */
export type HistoryFilter = Omit<Type.Static<typeof ExportQuery>, 'format'>;

const user_id = Type.Optional(
  Type.String({ description: 'Whose calls; others than your own for administrators.' }),
);

export const UserSeriesQuery = Type.Object(
  { ...SeriesQuery.properties, user_id },
  { additionalProperties: false },
);

export const StatisticsQuery = Type.Object(
  {
    user_id,
    algorithm_id: Type.Optional(Type.String({ description: 'Only calls of this algorithm.' })),
  },
  { additionalProperties: false },
);
export type StatisticsQuery = Type.Static<typeof StatisticsQuery>;

export const StatisticsAnswer = named(
  'CallStatistics',
  Type.Object({
    total_calls: Type.Integer({ description: 'All calls that ended.', examples: [4] }),
    status_counts: Type.Record(Type.String(), Type.Integer(), {
      description: 'Calls by status.',
      examples: [{ success: 3, failed: 1 }],
    }),
    success_rate: Type.Number({ description: 'Per cent; 0 when there are no calls.', examples: [75] }),
    avg_response_time: Type.Number({
      description: 'Seconds: the mean of `response_time` over all calls.',
      examples: [0.012],
    }),
    today_calls: Type.Integer({ description: 'Calls begun since 00:00 UTC.' }),
  }),
);
export type StatisticsAnswer = Type.Static<typeof StatisticsAnswer>;

export const AlgorithmsQuery = Type.Object(
  {
    start_date: date('The first day, in UTC; without it the days begin with the first call.'),
    end_date: date('The last day, in UTC; by default today.'),
  },
  { additionalProperties: false },
);
export type AlgorithmsQuery = Type.Static<typeof AlgorithmsQuery>;

const { success_rate, avg_response_time } = StatisticsAnswer.properties;

export const AlgorithmsAnswer = Type.Object({
  algorithms: Type.Array(
    Type.Object({
      algorithm_id: Type.String({ description: 'It may have been deleted since.' }),
      total_calls: Type.Integer({ description: 'Calls that ended.', examples: [4] }),
      success_rate,
      avg_response_time,
    }),
    { description: '100 at most.' },
  ),
});
export type AlgorithmsAnswer = Type.Static<typeof AlgorithmsAnswer>;
