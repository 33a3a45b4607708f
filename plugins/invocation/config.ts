import { defineSettings, setting, type SettingsOf, Type } from '../../core/index.ts';
import { journalSettings } from './journal/settings.ts';
import { retentionSettings } from './retention/settings.ts';

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
  ...journalSettings,
  ...retentionSettings,
});

export type InvocationLimits = SettingsOf<typeof InvocationSettings>;
