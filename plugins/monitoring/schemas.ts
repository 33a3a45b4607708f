import { named, timestamp, Type } from '../../core/index.ts';

const Percent = Type.Number({ minimum: 0, maximum: 100 });
const Count = Type.Integer({ minimum: 0 });
const counts = (description: string) =>
  Type.Unsafe<Readonly<Record<string, number>>>({ type: 'object', additionalProperties: Count, description });

const State = Type.String({
  description: '`healthy`, `degraded` or `unhealthy`: the worst of all checks.',
  examples: ['healthy'],
});

export const StateAnswer = Type.Object({ status: State });

export const HealthAnswer = named(
  'SystemHealth',
  Type.Object({
    status: State,
    timestamp: timestamp(),
    system_metrics: Type.Object(
      { cpu_percent: Percent, memory_percent: Percent, disk_percent: Percent },
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
    algorithm_id: Type.String(),
    period_days: Type.Integer(),
    total_calls: Count,
    success_calls: Count,
    failed_calls: Count,
    success_rate: Percent,
    average_response_time: Type.Number({ minimum: 0, description: 'Seconds.' }),
    status_distribution: counts('How many calls ended with each status.'),
    error_distribution: Type.Optional(
      counts(
        'How many calls failed with each `error_code`. Only for administrators and those who manage the algorithm.',
      ),
    ),
    timestamp: timestamp(),
  }),
);
