import { healthCheck } from '../../core/index.ts';
import { MonitoringSettings } from './config.ts';
import { SYSTEM_LOAD } from './system-load.ts';

const deps = { load: SYSTEM_LOAD, settings: MonitoringSettings.token };

/** Health checks that report a full disk or memory before it stops the service. */
export const healthChecks = [
  healthCheck({
    name: 'disk',
    deps,
    check: ({ load, settings }) =>
      within(load.now().disk_percent, settings.disk_degraded_percent, 'The disk of the data directory'),
  }),
  healthCheck({
    name: 'memory',
    deps,
    check: ({ load, settings }) =>
      within(load.now().memory_percent, settings.memory_degraded_percent, 'The memory'),
  }),
];

function within(actual: number, limit: number, what: string) {
  if (actual <= limit) return { state: 'healthy' } as const;
  const detail = `${what} is ${Math.round(actual)} % full, above ${limit} %.`;
  return { state: 'degraded', detail } as const;
}
