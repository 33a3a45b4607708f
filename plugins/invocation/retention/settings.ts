import { setting, Type } from '../../../core/index.ts';

const amount = (description: string) =>
  setting(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), { default: 0, description });
const days = (description: string) =>
  setting(Type.Integer({ minimum: 0, maximum: 36_500 }), { default: 0, description });

/** The settings of retention. */
export const retentionSettings = {
  keep_payloads_days: days(
    'Days that records keep `input_data`, `params` and `output_data`; 0 keeps them for as long as the record.',
  ),
  keep_payloads_count: amount(
    'How many records, the newest ones, keep `input_data`, `params` and `output_data`; 0 is all of them.',
  ),
  keep_records_days: days('Days that records of calls are kept at all; 0 keeps them for ever.'),
  keep_records_count: amount('How many records of calls are kept, the newest ones; 0 is all of them.'),
} as const;

export interface RetentionSettings {
  readonly keep_payloads_days: number;
  readonly keep_payloads_count: number;
  readonly keep_records_days: number;
  readonly keep_records_count: number;
}
