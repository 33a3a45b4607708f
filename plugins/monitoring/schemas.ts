import { named, timestamp, Type } from '../../core/index.ts';
import { EXAMPLE_ALGORITHM_ID } from '../catalogue/contract.ts';

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
