import { contribute, definePlugin, step } from '../../core/index.ts';
import { CALL_GUARDS, RECORD_COMPANIONS } from '../invocation/contract.ts';
import { createCallGuard } from './call-guard.ts';
import { CIRCUITS } from './circuits/circuits.ts';
import { CONCURRENCY } from './concurrency.ts';
import { GatewaySettings } from './config.ts';
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
import { KNOWN_RULES } from './rules/known-rules.ts';
import { services, SHARD } from './services.ts';

export default definePlugin({
  id: 'gateway',
  version: '1.0.0',
  api: '^1.0',
  summary: 'A second door to the algorithms, with limits, block rules, circuit breakers and counters',
  requires: ['catalogue', 'invocation'],
  optional: ['users'],
  config: GatewaySettings,
  services,
  contributes: [
    contribute(CALL_GUARDS, {
      deps: { circuits: CIRCUITS, concurrency: CONCURRENCY, rules: KNOWN_RULES },
      create: createCallGuard,
    }),
    contribute(RECORD_COMPANIONS, { deps: { shard: SHARD }, create: ({ shard }) => callCompanion(shard) }),
  ],
  routes: [...callRoutes, ...policyRoutes, ...blockRoutes],
  migrations,
  problems: gatewayProblems,
  metrics,
  health: [limitStoreHealth],
  start: step({ store: LIMIT_STORE }, ({ store }) => store.start()),
  stop: step({ store: LIMIT_STORE, refusals: REFUSAL_COUNTS }, async ({ store, refusals }) => {
    await refusals.stop();
    store.stop();
  }),
});
