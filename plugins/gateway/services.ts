import {
  AUDIT,
  CLOCK,
  DATABASE,
  EVENTS,
  LOGGER,
  METRICS,
  optional,
  service,
  INVALIDATION,
} from '../../core/index.ts';
import { KEY_OWNERS } from '../api-keys/contract.ts';
import { CATALOGUE } from '../catalogue/contract.ts';
import { INVOKER, TIME_ROLLUPS } from '../invocation/contract.ts';
import { ACCOUNTS } from '../users/contract.ts';
import { VERSION_CIRCUITS, VersionCircuits } from './circuits/version-circuits.ts';
import { CONCURRENCY, Concurrency } from './concurrency.ts';
import { GatewaySettings } from './config.ts';
import { REFUSAL_COUNTS, RefusalCounts } from './counters/refusal-counts.ts';
import { DRY_RUN, DryRun } from './dry-run.ts';
import { ALLOWANCES, Allowances } from './limits/allowances.ts';
import { LIMIT_STORE, LimitStore } from './limits/limit-store.ts';
import { REFUSALS, Refusals } from './refusals.ts';
import { BLOCKS, Blocks } from './rules/blocks.ts';
import { RULE_CACHE, RuleCache } from './rules/rule-cache.ts';
import { POLICIES, Policies } from './rules/policies.ts';
import { RULE_SUBJECTS, RuleSubjects } from './rules/rule-subjects.ts';
import { ROUTE_CALLS, RouteCalls } from './traffic/route-calls.ts';
import { ROUTE_UPKEEP, RouteUpkeep } from './traffic/route-upkeep.ts';
import { TRAFFIC_ROUTES, TrafficRoutes } from './traffic/traffic-routes.ts';
import { ROUTING, Routing } from './traffic/routing.ts';

const base = { database: DATABASE, clock: CLOCK, logger: LOGGER };
const settings = GatewaySettings.token;

export const services = [
  service({
    token: REFUSAL_COUNTS,
    deps: { ...base, rollups: TIME_ROLLUPS },
    create: (deps) => new RefusalCounts(deps),
  }),
  service({ token: LIMIT_STORE, deps: { ...base, settings }, create: (deps) => new LimitStore(deps) }),
  service({
    token: ALLOWANCES,
    deps: { store: LIMIT_STORE, clock: CLOCK },
    create: (deps) => new Allowances(deps),
  }),
  service({
    token: VERSION_CIRCUITS,
    deps: {
      settings,
      ...base,
      audit: AUDIT,
      catalogue: CATALOGUE,
      invalidation: INVALIDATION,
      metrics: METRICS,
    },
    create: (deps) => new VersionCircuits(deps),
  }),
  service({ token: CONCURRENCY, deps: { settings }, create: (deps) => new Concurrency(deps) }),
  service({
    token: RULE_CACHE,
    deps: { database: DATABASE, invalidation: INVALIDATION, clock: CLOCK, settings },
    create: (deps) => new RuleCache(deps),
  }),
  service({
    token: RULE_SUBJECTS,
    deps: { catalogue: CATALOGUE, accounts: optional(ACCOUNTS), keys: optional(KEY_OWNERS) },
    create: (deps) => new RuleSubjects(deps),
  }),
  service({
    token: POLICIES,
    deps: { ...base, audit: AUDIT, invalidation: INVALIDATION, subjects: RULE_SUBJECTS, settings },
    create: (deps) => new Policies(deps),
  }),
  service({
    token: BLOCKS,
    deps: { ...base, audit: AUDIT, invalidation: INVALIDATION, subjects: RULE_SUBJECTS },
    create: (deps) => new Blocks(deps),
  }),
  service({
    token: TRAFFIC_ROUTES,
    deps: {
      ...base,
      audit: AUDIT,
      invalidation: INVALIDATION,
      events: EVENTS,
      metrics: METRICS,
      calls: ROUTE_CALLS,
      catalogue: CATALOGUE,
    },
    create: (deps) => new TrafficRoutes(deps),
  }),
  service({ token: ROUTE_CALLS, deps: base, create: (deps) => new RouteCalls(deps) }),
  service({
    token: ROUTE_UPKEEP,
    deps: {
      routes: TRAFFIC_ROUTES,
      catalogue: CATALOGUE,
      rules: RULE_CACHE,
      circuits: VERSION_CIRCUITS,
      calls: ROUTE_CALLS,
    },
    create: (deps) => new RouteUpkeep(deps),
  }),
  service({
    token: ROUTING,
    deps: { circuits: VERSION_CIRCUITS, catalogue: CATALOGUE, upkeep: ROUTE_UPKEEP },
    create: (deps) => new Routing(deps),
  }),
  service({
    token: REFUSALS,
    deps: { catalogue: CATALOGUE, counts: REFUSAL_COUNTS, logger: LOGGER, metrics: METRICS },
    create: (deps) => new Refusals(deps),
  }),
  service({
    token: DRY_RUN,
    deps: {
      subjects: RULE_SUBJECTS,
      rules: RULE_CACHE,
      routing: ROUTING,
      invoker: INVOKER,
      catalogue: CATALOGUE,
      allowances: ALLOWANCES,
      circuits: VERSION_CIRCUITS,
      concurrency: CONCURRENCY,
      clock: CLOCK,
    },
    create: (deps) => new DryRun(deps),
  }),
];
