import {
  CLOCK,
  contribute,
  DATABASE,
  DATA_DIRECTORY,
  definePlugin,
  LOGGER,
  METRICS,
  optional,
  service,
  step,
} from '../../core/index.ts';
import { ALGORITHM_RIGHTS, CATALOGUE } from '../catalogue/contract.ts';
import {
  CALL_SERIES,
  CALL_STATISTICS,
  RECORD_BACKLOG,
  ROLLUPS,
  TIME_ROLLUPS,
} from '../invocation/contract.ts';
import { ACCOUNTS } from '../users/contract.ts';
import { MonitoringSettings } from './config.ts';
import { healthChecks } from './health-checks.ts';
import { installationRoutes } from './installation-routes.ts';
import { createLiveCalls, LIVE_CALLS } from './live-calls.ts';
import { LOAD_SAMPLER, LoadSampler } from './load-sampler.ts';
import { loadRollup } from './load-figures.ts';
import { createLoadSeries, LOAD_SERIES } from './load-series.ts';
import { metrics } from './metrics.ts';
import { migrations } from './migrations.ts';
import { systemPage } from './pages.ts';
import { createPerformance, PERFORMANCE } from './performance.ts';
import { PerformanceUnavailable, TooManyStreams } from './problems.ts';
import { routes } from './routes.ts';
import { createSeries, SERIES } from './series.ts';
import { SYSTEM_LOAD, SystemLoad } from './system-load.ts';

export default definePlugin({
  id: 'monitoring',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Health of the service and its machine, how each algorithm performs, and what is installed',
  optional: ['catalogue', 'invocation', 'users'],
  config: MonitoringSettings,
  services: [
    service({
      token: SYSTEM_LOAD,
      deps: {
        dataDirectory: DATA_DIRECTORY,
        clock: CLOCK,
        metrics: METRICS,
        logger: LOGGER,
      },
      create: (deps) => new SystemLoad(deps),
    }),
    service({
      token: LOAD_SAMPLER,
      deps: {
        load: SYSTEM_LOAD,
        rollups: optional(TIME_ROLLUPS),
        backlog: optional(RECORD_BACKLOG),
        database: DATABASE,
        clock: CLOCK,
        logger: LOGGER,
      },
      create: (deps) => new LoadSampler(deps),
    }),
    service({
      token: LIVE_CALLS,
      deps: {
        catalogue: optional(CATALOGUE),
        rights: optional(ALGORITHM_RIGHTS),
        statistics: optional(CALL_STATISTICS),
        clock: CLOCK,
      },
      create: createLiveCalls,
    }),
    service({
      token: LOAD_SERIES,
      deps: { database: DATABASE, rollups: optional(TIME_ROLLUPS) },
      create: createLoadSeries,
    }),
    service({
      token: PERFORMANCE,
      deps: {
        clock: CLOCK,
        catalogue: optional(CATALOGUE),
        rights: optional(ALGORITHM_RIGHTS),
        statistics: optional(CALL_STATISTICS),
      },
      create: createPerformance,
    }),
    service({
      token: SERIES,
      deps: {
        catalogue: optional(CATALOGUE),
        rights: optional(ALGORITHM_RIGHTS),
        calls: optional(CALL_SERIES),
        accounts: optional(ACCOUNTS),
      },
      create: createSeries,
    }),
  ],
  contributes: [contribute(ROLLUPS, { deps: {}, create: () => loadRollup })],
  routes: [...routes, ...installationRoutes],
  migrations,
  problems: [PerformanceUnavailable, TooManyStreams],
  metrics,
  health: healthChecks,
  pages: [systemPage],
  start: step({ load: SYSTEM_LOAD, sampler: LOAD_SAMPLER }, async ({ load, sampler }) => {
    await load.start();
    sampler.start();
  }),
  stop: step({ load: SYSTEM_LOAD, sampler: LOAD_SAMPLER }, async ({ load, sampler }) => {
    load.stop();
    await sampler.stop();
  }),
});
