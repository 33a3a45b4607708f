import { token, type EventBus, type Logger, type Metrics, type Signals } from '../../../core/index.ts';
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

/** Tells of changes of routes after their commit: those who remember rules, the log, the metrics, and who listens. */
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

  async tell(deed: RouteDeed<RouteAction | 'deleted'>, route: RouteRule): Promise<void> {
    const { signals, events, metrics, logger } = this.#deps;
    const { action, changedBy, reason } = deed;
    const { algorithm_id, stable_version_id, shares } = route;
    await signals.publish(RULES_CHANGED_TOPIC, algorithm_id);
    const fact = { algorithm_id, action, changed_by: changedBy, reason, stable_version_id };
    const versions = weightsOf(shares);
    metrics.counter(routeChanges.name).labels(action).inc();
    if (action === 'taken_back') logger.warn({ ...fact, versions }, 'A canary failed and was taken back.');
    else logger.info({ ...fact, versions }, 'The route of an algorithm changed.');
    events.emit(routeChanged, { ...fact, versions });
  }
}

export const ROUTE_CHANGES = token<RouteChanges>('gateway:route-changes');
