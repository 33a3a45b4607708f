import {
  AUDIT,
  CLOCK,
  DATABASE,
  DATA_DIRECTORY,
  EVENTS,
  LOGGER,
  METRICS,
  INVALIDATION,
  TRACER,
  VAULT,
  newId,
  service,
  token,
} from '../../core/index.ts';
import { ALGORITHM_RIGHTS, CATALOGUE } from '../catalogue/contract.ts';
import { createInvoker, DRAINING_INVOKER } from './calling/invoker.ts';
import { createSender } from './calling/sending.ts';
import { traced } from './calling/spans.ts';
import { InvocationSettings } from './config.ts';
import {
  CALL_GUARDS,
  CALL_LOG,
  CALL_SERIES,
  CALL_STATISTICS,
  INVOKER,
  RECORD_BACKLOG,
  RECORD_HOOKS,
  TIME_ROLLUPS,
  TRANSPORTS,
} from './contract.ts';
import { beginning, createJournal, JOURNAL } from './journal/journal.ts';
import { PAYLOAD_REDUCER, PayloadReducer } from './payload/reducer.ts';
import { PAYLOAD_POLICIES, PayloadPolicies } from './payload/policies.ts';
import { createCallLog } from './reading/call-log.ts';
import { createRecorder, RECORDER } from './recording/recorder.ts';
import { createRetention, RETENTION } from './retention/retention.ts';
import { createCallStatistics } from './rollups/call-statistics.ts';
import { createCallSeries } from './rollups/series/call-series.ts';
import { createTimeRollups } from './rollups/series/time-rollups.ts';

const base = { database: DATABASE, clock: CLOCK, logger: LOGGER };
const settings = InvocationSettings.token;

/** The id of this instance, new at each start, so that it differs from earlier runs as well. */
const INSTANCE = token<{ readonly id: string }>('invocation:instance');

const calling = [
  service({
    token: DRAINING_INVOKER,
    deps: {
      catalogue: CATALOGUE,
      rights: ALGORITHM_RIGHTS,
      transports: TRANSPORTS,
      guards: CALL_GUARDS,
      recorder: RECORDER,
      payloads: PAYLOAD_REDUCER,
      settings,
      clock: CLOCK,
      logger: LOGGER,
      tracer: TRACER,
    },
    create: ({ tracer, ...parts }) => {
      const deps = traced(parts, tracer);
      const begin = deps.settings.journal === 'intent' ? beginning(deps) : undefined;
      return createInvoker({
        ...deps,
        send: createSender({ ...deps, begin }),
        sendUnrecorded: createSender({ ...deps, guards: [] }),
      });
    },
  }),
  service({ token: INVOKER, deps: { invoker: DRAINING_INVOKER }, create: ({ invoker }) => invoker }),
];

const recording = [
  service({ token: INSTANCE, deps: {}, create: () => ({ id: newId() }) }),
  service({
    token: RECORDER,
    deps: {
      ...base,
      hooks: RECORD_HOOKS,
      events: EVENTS,
      metrics: METRICS,
      dataDirectory: DATA_DIRECTORY,
      settings,
      instance: INSTANCE,
    },
    create: ({ settings: { journal }, instance, ...deps }) =>
      createRecorder({ ...deps, instance: journal === 'intent' ? instance.id : undefined }),
  }),
  service({ token: RECORD_BACKLOG, deps: { recorder: RECORDER }, create: ({ recorder }) => recorder }),
  service({
    token: JOURNAL,
    deps: { ...base, recorder: RECORDER, settings, instance: INSTANCE },
    create: (deps) => createJournal({ ...deps, instance: deps.instance.id }),
  }),
];

const payload = [
  service({
    token: PAYLOAD_REDUCER,
    deps: { database: DATABASE, invalidation: INVALIDATION, catalogue: CATALOGUE, vault: VAULT },
    create: (deps) => new PayloadReducer(deps),
  }),
  service({
    token: PAYLOAD_POLICIES,
    deps: {
      ...base,
      audit: AUDIT,
      invalidation: INVALIDATION,
      catalogue: CATALOGUE,
      rights: ALGORITHM_RIGHTS,
    },
    create: (deps) => new PayloadPolicies(deps),
  }),
];

const reading = [
  service({
    token: CALL_STATISTICS,
    deps: { database: DATABASE },
    create: ({ database }) => createCallStatistics(database),
  }),
  service({ token: CALL_SERIES, deps: { database: DATABASE, clock: CLOCK }, create: createCallSeries }),
  service({ token: TIME_ROLLUPS, deps: { database: DATABASE, clock: CLOCK }, create: createTimeRollups }),
  service({
    token: CALL_LOG,
    deps: { database: DATABASE },
    create: ({ database }) => createCallLog(database),
  }),
];

const retaining = [
  service({
    token: RETENTION,
    deps: { ...base, settings, metrics: METRICS },
    create: createRetention,
  }),
];

/** All services of this plugin, by their folders. */
export const services = [...calling, ...recording, ...payload, ...reading, ...retaining];
