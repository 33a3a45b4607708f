import { setting, Type } from '../../../core/index.ts';

const amount = (says: string) =>
  setting(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), { default: 0, says });
const days = (says: string) => setting(Type.Integer({ minimum: 0, maximum: 36_500 }), { default: 0, says });

/** What is kept, and how gently the rest is thrown away. */
export const retentionSettings = {
  keep_payloads_days: days(
    'Days that records keep `input_data`, `params` and `output_data`; 0 keeps them for as long as the record.',
  ),
  keep_payloads_count: amount(
    'How many records, the newest ones, keep `input_data`, `params` and `output_data`; 0 is all of them.',
  ),
  keep_records_days: days('Days that records of calls are kept at all; 0 keeps them for ever.'),
  keep_records_count: amount('How many records of calls are kept, the newest ones; 0 is all of them.'),
  retention_interval_s: setting(Type.Integer({ minimum: 1, maximum: 604_800 }), {
    default: 600,
    says: 'Seconds between runs that throw away what is not kept and, on PostgreSQL, make partitions for the coming months; half as many more or less by chance.',
  }),
  retention_batch_rows: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    default: 200,
    says: 'Records that a run changes or deletes in one transaction.',
  }),
  retention_pause_ms: setting(Type.Integer({ minimum: 1, maximum: 60_000 }), {
    default: 50,
    says: 'Pause of a run between two transactions, in milliseconds.',
  }),
} as const;

export interface RetentionSettings {
  readonly keep_payloads_days: number;
  readonly keep_payloads_count: number;
  readonly keep_records_days: number;
  readonly keep_records_count: number;
  readonly retention_interval_s: number;
  readonly retention_batch_rows: number;
  readonly retention_pause_ms: number;
}
