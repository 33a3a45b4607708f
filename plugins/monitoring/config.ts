import { defineSettings, setting, Type, type SettingsOf } from '../../core/index.ts';

const percent = Type.Number({ minimum: 1, maximum: 100 });

export const MonitoringSettings = defineSettings('monitoring', {
  disk_degraded_percent: setting(percent, {
    default: 95,
    description: 'The service calls itself degraded when the disk of the data directory is fuller than this.',
  }),
  memory_degraded_percent: setting(percent, {
    default: 97,
    description: 'The service calls itself degraded when more than this of the memory is in use.',
  }),
});
export type MonitoringSettings = SettingsOf<typeof MonitoringSettings>;
