import {
  CLOCK,
  DATABASE,
  DATA_DIRECTORY,
  EGRESS,
  EVENTS,
  LOGGER,
  METRICS,
  SIGNALS,
  VAULT,
  WORKER_PLACE,
  contribute,
  definePlugin,
  listen,
  newId,
  service,
  step,
  token,
} from '../../core/index.ts';
import { ALGORITHM_RIGHTS, algorithmDeleted, CATALOGUE, ENDPOINT_SCHEMES } from '../catalogue/contract.ts';
import { createCallLog } from './reading/call-log.ts';
import { createCallStatistics } from './rollups/call-statistics.ts';
import { totalsCompanion } from './rollups/call-totals.ts';
import { InvocationSettings, type InvocationLimits } from './config.ts';
import {
  AlgorithmInactive,
  CALL_GUARDS,
  CALL_LOG,
  CALL_STATISTICS,
  CallNotFound,
  INVOKER,
  RECORD_COMPANIONS,
  TRANSPORTS,
  callRecorded,
  type PreparedCall,
} from './contract.ts';
import { createHttpTransport } from './calling/http-transport.ts';
import { errorTotalsCompanion } from './rollups/error-totals.ts';
import { IN_FLIGHT, InFlight } from './calling/in-flight.ts';
import { createInvoker, type DrainingInvoker } from './calling/invoker.ts';
import { JOURNAL, createJournal, type Journal } from './journal/journal.ts';
import { withOpenCalls } from './journal/open-log.ts';
import { metrics } from './metrics.ts';
import { migrations } from './migrations.ts';
import { MONTH_PARTITIONS, createMonthPartitions } from './partitions/month-partitions.ts';
import { PAYLOAD_KEEPER, PayloadKeeper } from './payload/keeper.ts';
import { PAYLOAD_POLICIES, PayloadPolicies } from './payload/policies.ts';
import { payloadRoutes } from './payload/routes.ts';
import { recorderHealth } from './recording/health.ts';
import { RECORDER, createRecorder } from './recording/recorder.ts';
import { RETENTION, createRetention } from './retention/retention.ts';
import { RETENTION_SCHEDULE, createSchedule } from './retention/schedule.ts';
import { routes } from './routes.ts';
import { runningRowOf } from './recording/row-of-call.ts';
import { createSender } from './calling/sending.ts';
import { endpointSchemes } from './calling/transports.ts';

const DRAINING_INVOKER = token<DrainingInvoker>('invocation:draining-invoker');

/** Tells this instance from others, and from its own earlier lives. */
const INSTANCE = token<{ readonly id: string }>('invocation:instance');

/** Writes down that a call begins, where that is wanted, with no more of it than the payload policy keeps. */
function beginnerOf({
  settings,
  journal,
  payloads,
}: {
  readonly settings: InvocationLimits;
  readonly journal: Journal;
  readonly payloads: PayloadKeeper;
}): ((call: PreparedCall) => Promise<void>) | undefined {
  if (settings.journal !== 'intent') return undefined;
  return (call) => {
    const row = runningRowOf(call);
    const { payloadPolicy } = call;
    return journal.begin(payloadPolicy === null ? row : payloads.reduced(row, payloadPolicy));
  };
}

export default definePlugin({
  id: 'invocation',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Calls algorithm versions and keeps a durable record of every call',
  requires: ['catalogue'],
  config: InvocationSettings,
  opens: [TRANSPORTS, CALL_GUARDS, RECORD_COMPANIONS],
  services: [
    service({
      token: RECORDER,
      deps: {
        database: DATABASE,
        companions: RECORD_COMPANIONS,
        events: EVENTS,
        metrics: METRICS,
        clock: CLOCK,
        logger: LOGGER,
        dataDirectory: DATA_DIRECTORY,
        settings: InvocationSettings.token,
        instance: INSTANCE,
        inFlight: IN_FLIGHT,
        worker: WORKER_PLACE,
      },
      create: ({ settings, instance, ...deps }) =>
        createRecorder(settings.journal === 'intent' ? { ...deps, instance: instance.id } : deps),
    }),
    service({
      token: IN_FLIGHT,
      deps: { settings: InvocationSettings.token },
      create: ({ settings }) => new InFlight(settings.max_in_flight),
    }),
    service({ token: INSTANCE, deps: {}, create: () => ({ id: newId() }) }),
    service({
      token: JOURNAL,
      deps: {
        database: DATABASE,
        recorder: RECORDER,
        settings: InvocationSettings.token,
        clock: CLOCK,
        logger: LOGGER,
        instance: INSTANCE,
      },
      create: (deps) => createJournal({ ...deps, instance: deps.instance.id }),
    }),
    service({
      token: DRAINING_INVOKER,
      deps: {
        catalogue: CATALOGUE,
        rights: ALGORITHM_RIGHTS,
        transports: TRANSPORTS,
        guards: CALL_GUARDS,
        recorder: RECORDER,
        journal: JOURNAL,
        payloads: PAYLOAD_KEEPER,
        inFlight: IN_FLIGHT,
        settings: InvocationSettings.token,
        clock: CLOCK,
        logger: LOGGER,
      },
      create: (deps) => createInvoker({ ...deps, send: createSender({ ...deps, begin: beginnerOf(deps) }) }),
    }),
    service({
      token: PAYLOAD_KEEPER,
      deps: { database: DATABASE, signals: SIGNALS, catalogue: CATALOGUE, vault: VAULT },
      create: (deps) => new PayloadKeeper(deps),
    }),
    service({
      token: PAYLOAD_POLICIES,
      deps: {
        database: DATABASE,
        signals: SIGNALS,
        clock: CLOCK,
        logger: LOGGER,
        catalogue: CATALOGUE,
        rights: ALGORITHM_RIGHTS,
      },
      create: (deps) => new PayloadPolicies(deps),
    }),
    service({ token: INVOKER, deps: { invoker: DRAINING_INVOKER }, create: ({ invoker }) => invoker }),
    service({
      token: CALL_STATISTICS,
      deps: { database: DATABASE },
      create: ({ database }) => createCallStatistics(database),
    }),
    service({
      token: CALL_LOG,
      deps: { database: DATABASE },
      create: ({ database }) => withOpenCalls(createCallLog(database), database),
    }),
    service({
      token: MONTH_PARTITIONS,
      deps: { database: DATABASE, clock: CLOCK, logger: LOGGER },
      create: createMonthPartitions,
    }),
    service({
      token: RETENTION,
      deps: {
        database: DATABASE,
        partitions: MONTH_PARTITIONS,
        settings: InvocationSettings.token,
        metrics: METRICS,
        clock: CLOCK,
        logger: LOGGER,
      },
      create: (deps) => createRetention({ ...deps, holder: newId() }),
    }),
    service({
      token: RETENTION_SCHEDULE,
      deps: { retention: RETENTION, settings: InvocationSettings.token, logger: LOGGER },
      create: ({ retention, settings, logger }) =>
        createSchedule({ retention, intervalMs: settings.retention_interval_s * 1000, logger }),
    }),
  ],
  contributes: [
    contribute(TRANSPORTS, { deps: { egress: EGRESS, clock: CLOCK }, create: createHttpTransport }),
    contribute(ENDPOINT_SCHEMES, {
      deps: { transports: TRANSPORTS },
      create: ({ transports }) => endpointSchemes(transports),
    }),
    contribute(RECORD_COMPANIONS, { deps: {}, create: totalsCompanion }),
    contribute(RECORD_COMPANIONS, { deps: {}, create: errorTotalsCompanion }),
  ],
  routes: [...routes, ...payloadRoutes],
  migrations,
  events: {
    emits: [callRecorded],
    listens: [
      listen(algorithmDeleted, {
        deps: { policies: PAYLOAD_POLICIES },
        handle: async ({ algorithm_id }, { policies }) =>
          void (await policies.removeOfAlgorithm(algorithm_id)),
      }),
    ],
  },
  problems: [CallNotFound, AlgorithmInactive],
  metrics,
  health: [recorderHealth],
  start: step(
    {
      recorder: RECORDER,
      journal: JOURNAL,
      partitions: MONTH_PARTITIONS,
      schedule: RETENTION_SCHEDULE,
    },
    async ({ recorder, journal, partitions, schedule }) => {
      await partitions.makeAhead();
      // What was set aside says how calls ended, which the journal would have to call interrupted.
      await recorder.start();
      await journal.start();
      schedule.start();
    },
  ),
  stop: step(
    {
      recorder: RECORDER,
      journal: JOURNAL,
      invoker: DRAINING_INVOKER,
      schedule: RETENTION_SCHEDULE,
    },
    async ({ recorder, journal, invoker, schedule }) => {
      // Calls that wait for a slow store would outlast the stop, and their records be lost.
      recorder.hurry();
      await Promise.all([schedule.stop(), invoker.idle().then(() => recorder.stop())]);
      await journal.stop();
    },
  ),
});
