import { named, nullable, timestamp, Type } from '../../core/index.ts';
import { EXAMPLE_ALGORITHM_ID } from '../catalogue/contract.ts';
import { CallSeriesAnswer, SeriesQuery } from '../invocation/contract.ts';

const percent = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 100, description, examples: [example] });
const Count = Type.Integer({ minimum: 0 });
const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });
const counts = (description: string, example: Readonly<Record<string, number>>) =>
  Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: Count,
    description,
    examples: [example],
  });

const State = Type.Enum(['healthy', 'degraded', 'unhealthy'], { description: 'The worst of all checks.' });

export const StateAnswer = Type.Object({ status: State });

export const HealthAnswer = named(
  'SystemHealth',
  Type.Object({
    status: State,
    timestamp: timestamp('When it was asked.'),
    system_metrics: Type.Object(
      {
        cpu_percent: percent('Processor time in use, of all cores.', 12.5),
        memory_percent: percent('Memory in use.', 40),
        disk_percent: percent('Space in use on the disk.', 61.2),
      },
      { description: 'Measured every few seconds; the disk is that of the data directory.' },
    ),
  }),
);

export const PerformanceQuery = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 7,
      description: 'How many days (UTC) to look at; today is the last of them.',
    }),
  },
  { additionalProperties: false },
);

export const PerformanceAnswer = named(
  'AlgorithmPerformance',
  Type.Object({
    algorithm_id: Type.String({ description: 'Whose figures these are.', examples: [EXAMPLE_ALGORITHM_ID] }),
    period_days: Type.Integer({ description: 'How many days were looked at.', examples: [7] }),
    total_calls: count('Calls that ended.', 4),
    success_calls: count('Calls with the status `success`.', 3),
    failed_calls: count('Calls with the status `failed`.', 1),
    success_rate: percent('Percentage of the calls that succeeded; 0 when there are none.', 75),
    average_response_time: Type.Number({ minimum: 0, description: 'Seconds.', examples: [0.012] }),
    status_distribution: counts('How many calls ended with each status.', { success: 3, failed: 1 }),
    error_distribution: Type.Optional(
      counts(
        'How many calls failed with each `error_code`. Only for administrators and those who manage the algorithm.',
        { upstream_timeout: 1 },
      ),
    ),
    timestamp: timestamp('When it was asked.'),
  }),
);

export const CallersQuery = Type.Object(
  {
    ...SeriesQuery.properties,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'How many callers at most.' }),
  },
  { additionalProperties: false },
);
export type CallersQuery = Type.Static<typeof CallersQuery>;

const { start, end } = CallSeriesAnswer.properties;

export const CallersAnswer = named(
  'BusiestCallers',
  Type.Object({
    start,
    end,
    callers: Type.Array(
      Type.Object({
        user_id: Type.String({ description: 'Whose calls these are.' }),
        username: nullable(
          Type.String({ description: 'Null where the account is deleted.', examples: ['ada'] }),
        ),
        total_calls: count('Calls that ended.', 4),
        success_rate: percent('Percentage of the calls that succeeded.', 75),
        avg_response_time: Type.Number({ minimum: 0, description: 'Seconds.', examples: [0.012] }),
      }),
      { description: 'The busiest first.' },
    ),
  }),
);

export const EventsQuery = Type.Object(
  {
    whose: Type.Enum(['everybody', 'own'], {
      default: 'everybody',
      description: 'Whose calls are watched; `own` for every signed-in user.',
    }),
    algorithm_id: Type.Optional(Type.String({ description: 'Only calls of this algorithm.' })),
    seconds: Type.Integer({
      minimum: 1,
      maximum: 3600,
      default: 600,
      description: 'After how many seconds the stream ends; browsers then come back by themselves.',
      examples: [1],
    }),
  },
  { additionalProperties: false },
);
export type EventsQuery = Type.Static<typeof EventsQuery>;

const { bucket, start_date, end_date } = SeriesQuery.properties;

export const LoadQuery = Type.Object({ bucket, start_date, end_date }, { additionalProperties: false });
export type LoadQuery = Type.Static<typeof LoadQuery>;

const measured = (description: string, example: number) => {
  const value = (of: string) => Type.Number({ minimum: 0, description: of, examples: [example] });
  return nullable(
    Type.Object(
      { mean: value('Over all measurements.'), highest: value('The highest measurement.') },
      { description },
    ),
  );
};

export const LoadAnswer = named(
  'LoadSeries',
  Type.Object({
    bucket: CallSeriesAnswer.properties.bucket,
    start,
    end,
    points: Type.Array(
      Type.Object({
        at: timestamp('When the minute, the hour or the day begins.'),
        cpu_percent: measured('Processor time in use, of all cores.', 12.5),
        memory_percent: measured('Memory in use.', 40),
        disk_percent: measured('Space in use on the disk of the data directory.', 61.2),
        event_loop_delay: measured('The longest delay of the event loop of a process, in seconds.', 0.012),
        process_memory_bytes: measured('Memory of a process.', 134217728),
        records_waiting: measured('Records of ended calls that waited for a transaction.', 0),
        spooled_batches: measured('Batches of records that the database did not take.', 0),
        database_bytes: measured('Size of the database.', 4194304),
      }),
      {
        description:
          'One for each minute, hour or day, the oldest first; null where nothing was measured. Every process measures ' +
          'every few seconds.',
      },
    ),
  }),
);
export type LoadAnswer = Type.Static<typeof LoadAnswer>;

const PluginEntry = Type.Object({
  id: Type.String({ description: 'What settings call the plugin.', examples: ['monitoring'] }),
  version: nullable(Type.String({ description: 'Null while it is off.', examples: ['1.0.0'] })),
  summary: nullable(
    Type.String({ description: 'What it does; null while it is off.', examples: ['Health of the service'] }),
  ),
  origin: Type.Enum(['built-in', 'package', 'folder', 'given'], {
    description:
      'Where it comes from: with the service, an npm package, a folder, or a program that starts the service.',
  }),
  state: Type.Enum(['on', 'off', 'left_out'], {
    description: '`left_out`: it is enabled, cannot be used, and may fail (`plugins.may_fail`).',
  }),
  left_out_because: nullable(
    Type.String({ description: 'Why it is left out; null otherwise.', examples: [null] }),
  ),
  requires: Type.Array(Type.String(), { description: 'Plugins that it cannot do without.', examples: [[]] }),
  routes: Type.Array(Type.String(), {
    description: 'Its operations.',
    examples: [['GET /monitoring/health']],
  }),
  addresses: Type.Array(Type.String(), { description: 'What it serves beside the API.', examples: [[]] }),
});

export const PluginsAnswer = Type.Object({
  plugins: Type.Array(PluginEntry, { description: 'All that are installed.' }),
  total: Type.Integer({ description: 'How many there are.', examples: [1] }),
});

const SettingEntry = Type.Object({
  section: Type.String({ description: 'The plugin, or a part of the kernel.', examples: ['audit'] }),
  key: Type.String({ description: 'The name of the setting.', examples: ['kept_days'] }),
  value: Type.Unknown({ description: 'Null where it has none; a secret is `********`.', examples: [365] }),
  source: Type.String({
    description: '`default`, the place in a file, or the environment variable.',
    examples: ['default'],
  }),
  changed: Type.Boolean({ description: 'Whether it differs from the default.' }),
  env: Type.String({ description: 'The environment variable that sets it.', examples: ['AUDIT_KEPT_DAYS'] }),
  description: Type.String({ description: 'What it is for.', examples: ['Days for which entries are kept'] }),
});

export const SettingsAnswer = Type.Object({
  settings: Type.Array(SettingEntry, { description: 'Those of the kernel, then by plugin.' }),
  total: Type.Integer({ description: 'How many there are.', examples: [1] }),
});

const JobEntry = Type.Object({
  id: Type.String({ description: 'The plugin and the name of the job.', examples: ['audit:old-entries'] }),
  summary: Type.String({ description: 'What it does.', examples: ['Deletes old entries'] }),
  schedule: Type.String({ description: 'When it runs.', examples: ['every 24h'] }),
  running: Type.Boolean({ description: 'Whether it runs now, in any process.' }),
  due_at: nullable(timestamp('When it runs next.')),
  failures: count('Failed runs in a row, up to now.', 0),
  last: nullable(
    Type.Object(
      {
        at: timestamp('When it ended.'),
        duration_ms: count('How long it took.', 12),
        fault: nullable(Type.String({ description: 'Why it failed.', examples: [null] })),
      },
      { description: 'The last run; null before the first one.' },
    ),
  ),
});

export const JobsAnswer = Type.Object({
  jobs: Type.Array(JobEntry, { description: 'By plugin, in the order in which they start.' }),
  total: Type.Integer({ description: 'How many there are.', examples: [1] }),
});
