import { defineSettings, setting, type SettingsOf, Type } from '../../core/index.ts';

const amount = (description: string) =>
  setting(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }), { default: 0, description });
const days = (description: string) =>
  setting(Type.Integer({ minimum: 0, maximum: 36_500 }), { default: 0, description });

/** The settings of invocation: limits of a call, and how long its record is kept. */
export const InvocationSettings = defineSettings('invocation', {
  timeout_ms: setting(Type.Integer({ minimum: 1, maximum: 3_600_000 }), {
    default: 30_000,
    description: 'How long an endpoint may take to answer in full, in milliseconds.',
  }),
  max_output_bytes: setting(Type.Integer({ minimum: 1024, maximum: 268_435_456 }), {
    default: 8_388_608,
    description: 'Largest answer of an endpoint that is accepted, in bytes.',
  }),
  max_in_flight_per_version: setting(Type.Integer({ minimum: 1 }), {
    default: 256,
    description:
      'Calls of one version that may ask its endpoint at once in one process; half as many more wait for up to a second, and others are answered 503.',
  }),
  journal: setting(Type.Enum(['end', 'intent']), {
    default: 'end',
    description:
      'When a call is written: once, when it ends (`end`), or also before its endpoint is asked (`intent`), so that a ' +
      'call that the death of its process cut short leaves a record. `intent` costs two durable writes for each call.',
  }),
  keep_payloads_days: days(
    'Days that records keep `input_data`, `params` and `output_data`; 0 keeps them for as long as the record.',
  ),
  keep_payloads_count: amount(
    'How many records, the newest ones, keep `input_data`, `params` and `output_data`; 0 is all of them.',
  ),
  keep_records_days: days('Days that records of calls are kept at all; 0 keeps them for ever.'),
  keep_records_count: amount('How many records of calls are kept, the newest ones; 0 is all of them.'),
});

export type InvocationSettings = SettingsOf<typeof InvocationSettings>;
/** How long records are kept. */
export type RetentionSettings = Pick<
  InvocationSettings,
  'keep_payloads_days' | 'keep_payloads_count' | 'keep_records_days' | 'keep_records_count'
>;
