import { CLOCK, contribute, DATABASE, definePlugin, listen, optional, step } from '../../core/index.ts';
import { algorithmChanged, algorithmDeleted, PORTABLE_SECTIONS } from '../catalogue/contract.ts';
import { CALL_GUARDS, callRecorded, RECORD_HOOKS, ROLLUPS } from '../invocation/contract.ts';
import { ACCOUNTS } from '../users/contract.ts';
import { createCallGuard } from './call-guard.ts';
import { VERSION_CIRCUITS } from './circuits/version-circuits.ts';
import { CONCURRENCY } from './concurrency.ts';
import { GatewaySettings } from './config.ts';
import { routeChanged } from './contract.ts';
import { countRecordedCalls, outcomeRollup } from './counters/gateway-counters.ts';
import { REFUSAL_COUNTS } from './counters/refusal-counts.ts';
import { refusalRollup } from './counters/refusal-series.ts';
import { redisCheck } from './doctor.ts';
import { limitStoreHealth } from './health.ts';
import { jobs } from './jobs.ts';
import { ALLOWANCES } from './limits/allowances.ts';
import { LIMIT_STORE } from './limits/limit-store.ts';
import { metrics } from './metrics.ts';
import { migrations } from './migrations.ts';
import { PoliciesSection } from './policies-section.ts';
import { gatewayProblems } from './problems.ts';
import { REFUSALS } from './refusals.ts';
import { blockRoutes } from './routes/blocks.ts';
import { callRoutes } from './routes/calls.ts';
import { circuitRoutes } from './routes/circuits.ts';
import { policyRoutes } from './routes/policies.ts';
import { trafficRoutes } from './routes/traffic.ts';
import { POLICIES } from './rules/policies.ts';
import { RULE_CACHE } from './rules/rule-cache.ts';
import { services } from './services.ts';
import { ROUTE_CALLS, routeCallRollup } from './traffic/route-calls.ts';
import { ROUTE_UPKEEP } from './traffic/route-upkeep.ts';
import { ROUTING } from './traffic/routing.ts';

export default definePlugin({
  id: 'gateway',
  version: '1.0.0',
  api: '^1.0',
  summary:
    'Guards calls with block rules, limits and circuit breakers, routes them to versions, and counts the requests',
  requires: ['catalogue', 'invocation'],
  optional: ['users', 'api-keys'],
  config: GatewaySettings,
  doctor: [redisCheck],
  services,
  contributes: [
    contribute(CALL_GUARDS, {
      deps: {
        circuits: VERSION_CIRCUITS,
        concurrency: CONCURRENCY,
        rules: RULE_CACHE,
        allowances: ALLOWANCES,
        routing: ROUTING,
        refusals: REFUSALS,
        settings: GatewaySettings.token,
        clock: CLOCK,
      },
      create: createCallGuard,
    }),
    contribute(RECORD_HOOKS, {
      deps: { database: DATABASE },
      create: ({ database }) => countRecordedCalls(database),
    }),
    contribute(RECORD_HOOKS, {
      deps: { calls: ROUTE_CALLS, rules: RULE_CACHE },
      create: ({ calls, rules }) => calls.hook(rules),
    }),
    ...[outcomeRollup, refusalRollup, routeCallRollup].map((rollup) =>
      contribute(ROLLUPS, { deps: {}, create: () => rollup }),
    ),
    contribute(PORTABLE_SECTIONS, {
      deps: { policies: POLICIES, accounts: optional(ACCOUNTS) },
      create: (deps) => new PoliciesSection(deps),
    }),
  ],
  routes: [...callRoutes, ...policyRoutes, ...blockRoutes, ...circuitRoutes, ...trafficRoutes],
  events: {
    emits: [routeChanged],
    listens: [
      listen(callRecorded, {
        deps: { upkeep: ROUTE_UPKEEP },
        handle: ({ status, algorithm_id, version_id }, { upkeep }) =>
          status === 'failed' ? upkeep.callFailed(algorithm_id, version_id) : undefined,
      }),
      listen(algorithmChanged, {
        deps: { upkeep: ROUTE_UPKEEP },
        handle: async ({ algorithm_id }, { upkeep }) => void (await upkeep.leaveOutDeleted(algorithm_id)),
      }),
      listen(algorithmDeleted, {
        deps: { upkeep: ROUTE_UPKEEP },
        handle: async ({ algorithm_id }, { upkeep }) => void (await upkeep.leaveOutDeleted(algorithm_id)),
      }),
    ],
  },
  migrations,
  problems: gatewayProblems,
  metrics,
  health: [limitStoreHealth],
  jobs,
  start: step({ store: LIMIT_STORE }, ({ store }) => store.start()),
  stop: step({ store: LIMIT_STORE, refusals: REFUSAL_COUNTS }, async ({ store, refusals }) => {
    await refusals.stop();
    store.stop();
  }),
});
