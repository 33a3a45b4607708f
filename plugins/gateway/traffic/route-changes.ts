import {
  token,
  type EventBus,
  type Logger,
  type Metrics,
  type Signals,
  type Transaction,
} from '../../../core/index.ts';
import { routeChanged } from '../contract.ts';
import { routeChanges } from '../metrics.ts';
import { RULES_CHANGED_TOPIC } from '../rules/known-rules.ts';
import type { RouteRule } from './known-route.ts';
import { weightsOf } from './shares.ts';

export type RouteAction = 'set' | 'promoted' | 'rolled_back' | 'taken_back' | 'version_deleted';

/** What was done to a route, by whom and why. */
export interface RouteDeed<A = RouteAction> {
  readonly action: A;
  /** A user; null when nobody did it. */
  readonly changedBy: string | null;
  readonly reason: string | null;
}

/** Tells of changes of routes: those who remember rules with the commit; the log, the metrics and who listens after it. */
export class RouteChanges {
  readonly #deps: {
    readonly signals: Signals;
    readonly events: EventBus;
    readonly metrics: Metrics;
    readonly logger: Logger;
  };

  constructor(deps: {
    readonly signals: Signals;
    readonly events: EventBus;
    readonly metrics: Metrics;
    readonly logger: Logger;
  }) {
    this.#deps = deps;
  }

  publish(trx: Transaction, { algorithm_id }: Pick<RouteRule, 'algorithm_id'>): void {
    this.#deps.signals.publish(trx, RULES_CHANGED_TOPIC, algorithm_id);
  }

  tell(deed: RouteDeed<RouteAction | 'deleted'>, route: RouteRule): void {
    const { events, metrics, logger } = this.#deps;
    const { action, changedBy, reason } = deed;
    const { algorithm_id, stable_version_id, shares } = route;
    const fact = { algorithm_id, action, changed_by: changedBy, reason, stable_version_id };
    const versions = weightsOf(shares);
    metrics.counter(routeChanges.name).labels(action).inc();
    if (action === 'taken_back') logger.warn({ ...fact, versions }, 'A canary failed and was taken back.');
    else logger.info({ ...fact, versions }, 'The route of an algorithm changed.');
    events.emit(routeChanged, { ...fact, versions });
  }
}

export const ROUTE_CHANGES = token<RouteChanges>('gateway:route-changes');
