import {
  CLOCK,
  createRollup,
  DATABASE,
  EVENTS,
  LOGGER,
  METRICS,
  optional,
  service,
  SIGNALS,
  type Service,
} from '../../core/index.ts';
import { KEY_OWNERS } from '../api-keys/contract.ts';
import { CATALOGUE } from '../catalogue/contract.ts';
import { INVOKER } from '../invocation/contract.ts';
import { ACCOUNTS } from '../users/contract.ts';
import { VERSION_CIRCUITS, VersionCircuits } from './circuits/version-circuits.ts';
import { CONCURRENCY, Concurrency } from './concurrency.ts';
import { GatewaySettings } from './config.ts';
import { STATISTICS_READER, StatisticsReader } from './counters/gateway-statistics.ts';
import { OUTCOMES, outcomes } from './counters/outcomes.ts';
import { REFUSAL_COUNTS, RefusalCounts } from './counters/refusal-counts.ts';
import { DRY_RUN, DryRun } from './dry-run.ts';
import { GATEWAY, Gateway } from './gateway.ts';
import { ALLOWANCES, Allowances } from './limits/allowances.ts';
import { LIMIT_STORE, LimitStore } from './limits/limit-store.ts';
import { NAMED_CALLER, NamedCaller } from './named-caller.ts';
import { BLOCKS, Blocks } from './rules/blocks.ts';
import { KNOWN_RULES, KnownRules } from './rules/known-rules.ts';
import { POLICIES, Policies } from './rules/policies.ts';
import { RULE_SUBJECTS, RuleSubjects } from './rules/rule-subjects.ts';
import { CANARY_WATCH, CanaryWatch } from './traffic/canary-watch.ts';
import { ROUTE_CALLS, RouteCalls } from './traffic/route-calls.ts';
import { ROUTE_CHANGES, RouteChanges } from './traffic/route-changes.ts';
import { ROUTE_OUTCOMES, routeOutcomes } from './traffic/route-outcomes.ts';
import { ROUTE_STORE, RouteStore } from './traffic/route-store.ts';
import { ROUTE_UPKEEP, RouteUpkeep } from './traffic/route-upkeep.ts';
import { ROUTING, Routing } from './traffic/routing.ts';
import { TRAFFIC_ROUTES, TrafficRoutes } from './traffic/traffic-routes.ts';

const base = { database: DATABASE, clock: CLOCK, logger: LOGGER };
const settings = GatewaySettings.token;

const counting: readonly Service[] = [
  service({
    token: OUTCOMES,
    deps: { database: DATABASE },
    create: ({ database }) => createRollup(database, outcomes),
  }),
  service({
    token: REFUSAL_COUNTS,
    deps: { ...base, outcomes: OUTCOMES },
    create: (deps) => new RefusalCounts(deps),
  }),
  service({
    token: STATISTICS_READER,
    deps: { ...base, refusals: REFUSAL_COUNTS },
    create: (deps) => new StatisticsReader(deps),
  }),
];

const limiting: readonly Service[] = [
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
      catalogue: CATALOGUE,
      signals: SIGNALS,
      clock: CLOCK,
      logger: LOGGER,
      metrics: METRICS,
    },
    create: (deps) => new VersionCircuits(deps),
  }),
  service({ token: CONCURRENCY, deps: { settings }, create: (deps) => new Concurrency(deps) }),
];

const ruling: readonly Service[] = [
  service({
    token: KNOWN_RULES,
    deps: { database: DATABASE, signals: SIGNALS, clock: CLOCK, settings },
    create: (deps) => new KnownRules(deps),
  }),
  service({
    token: RULE_SUBJECTS,
    deps: { catalogue: CATALOGUE, accounts: optional(ACCOUNTS), keys: optional(KEY_OWNERS) },
    create: (deps) => new RuleSubjects(deps),
  }),
  service({
    token: POLICIES,
    deps: { ...base, signals: SIGNALS, subjects: RULE_SUBJECTS, settings },
    create: (deps) => new Policies(deps),
  }),
  service({
    token: BLOCKS,
    deps: { ...base, signals: SIGNALS, subjects: RULE_SUBJECTS },
    create: (deps) => new Blocks(deps),
  }),
];

const routing: readonly Service[] = [
  service({
    token: ROUTE_CHANGES,
    deps: { signals: SIGNALS, events: EVENTS, metrics: METRICS, logger: LOGGER },
    create: (deps) => new RouteChanges(deps),
  }),
  service({
    token: ROUTE_STORE,
    deps: { database: DATABASE, clock: CLOCK, changes: ROUTE_CHANGES },
    create: (deps) => new RouteStore(deps),
  }),
  service({
    token: ROUTE_OUTCOMES,
    deps: { database: DATABASE },
    create: ({ database }) => createRollup(database, routeOutcomes),
  }),
  service({
    token: ROUTE_CALLS,
    deps: { ...base, outcomes: ROUTE_OUTCOMES },
    create: (deps) => new RouteCalls(deps),
  }),
  service({
    token: TRAFFIC_ROUTES,
    deps: { store: ROUTE_STORE, calls: ROUTE_CALLS, catalogue: CATALOGUE },
    create: (deps) => new TrafficRoutes(deps),
  }),
  service({
    token: ROUTE_UPKEEP,
    deps: { store: ROUTE_STORE, catalogue: CATALOGUE, rules: KNOWN_RULES },
    create: (deps) => new RouteUpkeep(deps),
  }),
  service({
    token: ROUTING,
    deps: { circuits: VERSION_CIRCUITS, catalogue: CATALOGUE, upkeep: ROUTE_UPKEEP },
    create: (deps) => new Routing(deps),
  }),
  service({
    token: CANARY_WATCH,
    deps: {
      rules: KNOWN_RULES,
      circuits: VERSION_CIRCUITS,
      calls: ROUTE_CALLS,
      upkeep: ROUTE_UPKEEP,
      logger: LOGGER,
    },
    create: (deps) => new CanaryWatch(deps),
  }),
];

const deciding: readonly Service[] = [
  service({
    token: GATEWAY,
    deps: {
      rules: KNOWN_RULES,
      routing: ROUTING,
      allowances: ALLOWANCES,
      invoker: INVOKER,
      refusals: REFUSAL_COUNTS,
      clock: CLOCK,
      logger: LOGGER,
      metrics: METRICS,
    },
    create: (deps) => new Gateway(deps),
  }),
  service({
    token: NAMED_CALLER,
    deps: { subjects: RULE_SUBJECTS },
    create: (deps) => new NamedCaller(deps),
  }),
  service({
    token: DRY_RUN,
    deps: {
      callers: NAMED_CALLER,
      rules: KNOWN_RULES,
      routing: ROUTING,
      allowances: ALLOWANCES,
      circuits: VERSION_CIRCUITS,
      concurrency: CONCURRENCY,
      clock: CLOCK,
    },
    create: (deps) => new DryRun(deps),
  }),
];

export const services: readonly Service[] = [...counting, ...limiting, ...ruling, ...routing, ...deciding];
