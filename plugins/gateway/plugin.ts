import { contribute, definePlugin, job, listen, step } from '../../core/index.ts';
import { algorithmChanged, algorithmDeleted } from '../catalogue/contract.ts';
import { CALL_GUARDS, RECORD_COMPANIONS } from '../invocation/contract.ts';
import { createCallGuard } from './call-guard.ts';
import { VERSION_CIRCUITS } from './circuits/version-circuits.ts';
import { CONCURRENCY } from './concurrency.ts';
import { GatewaySettings } from './config.ts';
import { routeChanged } from './contract.ts';
import { callCompanion } from './counters/call-companion.ts';
import { REFUSAL_COUNTS } from './counters/refusal-counts.ts';
import { limitStoreHealth } from './health.ts';
import { LIMIT_STORE } from './limits/limit-store.ts';
import { metrics } from './metrics.ts';
import { migrations } from './migrations.ts';
import { gatewayProblems } from './problems.ts';
import { blockRoutes } from './routes/blocks.ts';
import { callRoutes } from './routes/calls.ts';
import { policyRoutes } from './routes/policies.ts';
import { trafficRoutes } from './routes/traffic.ts';
import { KNOWN_RULES } from './rules/known-rules.ts';
import { services } from './services.ts';
import { CANARY_WATCH } from './traffic/canary-watch.ts';
import { ROUTE_CALLS } from './traffic/route-calls.ts';
import { routeCompanion } from './traffic/route-companion.ts';
import { ROUTE_UPKEEP } from './traffic/route-upkeep.ts';

export default definePlugin({
  id: 'gateway',
  version: '1.0.0',
  api: '^1.0',
  summary: 'A second door to the algorithms, with limits, block rules, routes, circuit breakers and counters',
  requires: ['catalogue', 'invocation'],
  optional: ['users', 'api-keys'],
  config: GatewaySettings,
  services,
  contributes: [
    contribute(CALL_GUARDS, {
      deps: {
        circuits: VERSION_CIRCUITS,
        concurrency: CONCURRENCY,
        rules: KNOWN_RULES,
        canaries: CANARY_WATCH,
      },
      create: createCallGuard,
    }),
    contribute(RECORD_COMPANIONS, {
      deps: {},
      create: () => callCompanion(),
    }),
    contribute(RECORD_COMPANIONS, {
      deps: { rules: KNOWN_RULES },
      create: ({ rules }) => routeCompanion(rules),
    }),
  ],
  routes: [...callRoutes, ...policyRoutes, ...blockRoutes, ...trafficRoutes],
  events: {
    emits: [routeChanged],
    listens: [
      listen(algorithmChanged, {
        deps: { upkeep: ROUTE_UPKEEP },
        handle: ({ algorithm_id }, { upkeep }) => upkeep.algorithmChanged(algorithm_id),
      }),
      listen(algorithmDeleted, {
        deps: { upkeep: ROUTE_UPKEEP },
        handle: ({ algorithm_id }, { upkeep }) => upkeep.algorithmChanged(algorithm_id),
      }),
    ],
  },
  migrations,
  problems: gatewayProblems,
  metrics,
  health: [limitStoreHealth],
  jobs: [
    job({
      name: 'old-route-calls',
      summary: 'Deletes counts of calls by route that no rollback rule looks at any more',
      every: '5m',
      deps: { calls: ROUTE_CALLS },
      run: (_, { calls }) => calls.deleteOld(),
    }),
  ],
  start: step({ store: LIMIT_STORE }, ({ store }) => store.start()),
  stop: step(
    { store: LIMIT_STORE, refusals: REFUSAL_COUNTS, canaries: CANARY_WATCH },
    async ({ store, refusals, canaries }) => {
      await canaries.idle();
      await refusals.stop();
      store.stop();
    },
  ),
});
