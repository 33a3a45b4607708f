import { AUDIT, CLOCK, DATABASE, EVENTS, INVALIDATION, LOGGER, METRICS, service } from '../../core/index.ts';
import { ALGORITHM_RIGHTS, CATALOGUE } from '../catalogue/contract.ts';
import { INVOKER } from '../invocation/contract.ts';
import { CHECK_SERVICE, CheckService } from './check-service.ts';
import { CHECK_STORE, CheckStore } from './check-store.ts';
import { ChecksSettings } from './config.ts';
import { gaugeBroken } from './metrics.ts';
import { EXAMPLE_RUNNER, ExampleRunner } from './run-examples.ts';
import { Schedule, SCHEDULE } from './schedule.ts';
import { VERSION_CHECKER, VersionChecker } from './version-checker.ts';

const settings = ChecksSettings.token;

export const services = [
  service({
    token: CHECK_STORE,
    deps: { database: DATABASE, invalidation: INVALIDATION, audit: AUDIT, metrics: METRICS, settings },
    create: ({ metrics, ...deps }) => {
      const store = new CheckStore(deps);
      gaugeBroken(metrics, () => store.inState('broken'));
      return store;
    },
  }),
  service({
    token: EXAMPLE_RUNNER,
    deps: { invoker: INVOKER, clock: CLOCK },
    create: (deps) => new ExampleRunner(deps),
  }),
  service({
    token: VERSION_CHECKER,
    deps: {
      catalogue: CATALOGUE,
      runner: EXAMPLE_RUNNER,
      store: CHECK_STORE,
      events: EVENTS,
      metrics: METRICS,
      logger: LOGGER,
      clock: CLOCK,
    },
    create: (deps) => new VersionChecker(deps),
  }),
  service({
    token: SCHEDULE,
    deps: {
      catalogue: CATALOGUE,
      checker: VERSION_CHECKER,
      store: CHECK_STORE,
      logger: LOGGER,
      clock: CLOCK,
      settings,
    },
    create: (deps) => new Schedule(deps),
  }),
  service({
    token: CHECK_SERVICE,
    deps: {
      catalogue: CATALOGUE,
      rights: ALGORITHM_RIGHTS,
      checker: VERSION_CHECKER,
      store: CHECK_STORE,
      settings,
    },
    create: (deps) => new CheckService(deps),
  }),
];
