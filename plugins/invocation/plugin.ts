import { CLOCK, contribute, DATABASE, definePlugin, EGRESS, listen, LOGGER, step } from '../../core/index.ts';
import {
  algorithmDeleted,
  ENDPOINT_SCHEMES,
  PORTABLE_SECTIONS,
  RECORDED_CALLS,
  VERSION_TRIALS,
} from '../catalogue/contract.ts';
import { ACCOUNT_BELONGINGS } from '../users/contract.ts';
import { createHttpTransport } from './calling/http/http-transport.ts';
import { DRAINING_INVOKER } from './calling/invoker.ts';
import { endpointSchemes } from './calling/sending.ts';
import { InvocationSettings } from './config.ts';
import {
  AlgorithmInactive,
  Blocked,
  CALL_GUARDS,
  CALL_LOG,
  CallNotFound,
  callRecorded,
  ConcurrencyLimited,
  RateLimited,
  RECORD_HOOKS,
  ROLLUPS,
  TRANSPORTS,
} from './contract.ts';
import { growthCheck, spoolCheck } from './doctor.ts';
import { JOURNAL } from './journal/journal.ts';
import { metrics } from './metrics.ts';
import { migrations } from './migrations.ts';
import { makeRoom } from './partitions/make-room.ts';
import { makeMonthsAhead } from './partitions/month-partitions.ts';
import { PAYLOAD_POLICIES } from './payload/policies.ts';
import { PayloadPoliciesSection } from './payload/policies-section.ts';
import { payloadRoutes } from './payload/routes.ts';
import { recordedCalls } from './reading/recorded-calls.ts';
import { recorderHealth } from './recording/health.ts';
import { RECORDER } from './recording/recorder.ts';
import { accountRecords } from './retention/account-records.ts';
import { retentionJob } from './retention/retention.ts';
import { foldJob, totalsHook } from './rollups/call-rollups.ts';
import { foldSeriesJob } from './rollups/series/folding.ts';
import { oldPointsJob } from './rollups/series/old-points.ts';
import { seriesHook } from './rollups/series/series-hook.ts';
import { routes } from './routes.ts';
import { services } from './services.ts';

export default definePlugin({
  id: 'invocation',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Calls algorithm versions and keeps a durable record of every call',
  requires: ['catalogue'],
  optional: ['users'],
  config: InvocationSettings,
  opens: [TRANSPORTS, CALL_GUARDS, RECORD_HOOKS, ROLLUPS],
  services,
  contributes: [
    contribute(TRANSPORTS, { deps: { egress: EGRESS, clock: CLOCK }, create: createHttpTransport }),
    contribute(ENDPOINT_SCHEMES, {
      deps: { transports: TRANSPORTS },
      create: ({ transports }) => endpointSchemes(transports),
    }),
    contribute(RECORDED_CALLS, {
      deps: { calls: CALL_LOG, database: DATABASE },
      create: recordedCalls,
    }),
    contribute(VERSION_TRIALS, {
      deps: { invoker: DRAINING_INVOKER },
      create: ({ invoker }) => ({ call: invoker.trial }),
    }),
    contribute(RECORD_HOOKS, {
      deps: { database: DATABASE },
      create: ({ database }) => totalsHook(database),
    }),
    contribute(RECORD_HOOKS, { deps: {}, create: () => seriesHook }),
    contribute(PORTABLE_SECTIONS, {
      deps: { policies: PAYLOAD_POLICIES },
      create: (deps) => new PayloadPoliciesSection(deps),
    }),
    contribute(ACCOUNT_BELONGINGS, { deps: { database: DATABASE, logger: LOGGER }, create: accountRecords }),
  ],
  routes: [...routes, ...payloadRoutes],
  migrations,
  backup: { folders: ['spool'], makeRoom },
  events: {
    emits: [callRecorded],
    listens: [
      listen(algorithmDeleted, {
        deps: { policies: PAYLOAD_POLICIES },
        handle: ({ algorithm_id }, { policies }) => policies.removeOfAlgorithm(algorithm_id),
      }),
    ],
  },
  problems: [CallNotFound, AlgorithmInactive, Blocked, RateLimited, ConcurrencyLimited],
  metrics,
  health: [recorderHealth],
  doctor: [spoolCheck, growthCheck],
  jobs: [foldJob, foldSeriesJob, oldPointsJob, retentionJob],
  start: step(
    {
      recorder: RECORDER,
      journal: JOURNAL,
      database: DATABASE,
      clock: CLOCK,
      logger: LOGGER,
    },
    async ({ recorder, journal, ...base }) => {
      await makeMonthsAhead(base);
      // The spool may have records of calls that the journal would otherwise record as interrupted.
      await recorder.start();
      await journal.start();
    },
  ),
  stop: step(
    {
      recorder: RECORDER,
      journal: JOURNAL,
      invoker: DRAINING_INVOKER,
    },
    async ({ recorder, journal, invoker }) => {
      recorder.hurry();
      await invoker.idle();
      await recorder.stop();
      await journal.stop();
    },
  ),
});
