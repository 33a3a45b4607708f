import { token, type Clock, type Database, type PreparedRead, type Rollup } from '../../../core/index.ts';
import type { RollbackRule, RouteRule } from './known-route.ts';
import { routeOutcomes, SINCE_CHANGE } from './route-outcomes.ts';

/** Calls that ended, and how many of them failed. */
export interface CallCounts {
  readonly calls: number;
  readonly failed_calls: number;
}

interface SumRow {
  readonly version_id: string;
  readonly calls: number | string;
  readonly failed_calls: number | string;
}

export interface RouteCallsDeps {
  readonly database: Database;
  readonly outcomes: Rollup;
  readonly clock: Clock;
}

type Revised = Pick<RouteRule, 'id' | 'revision'>;

/** Reads how the calls of a route's versions ended, on all instances together, since the route last changed. */
export class RouteCalls {
  readonly #deps: RouteCallsDeps;
  readonly #sinceChange: PreparedRead<SumRow>;
  readonly #within: PreparedRead<SumRow>;

  constructor(deps: RouteCallsDeps) {
    this.#deps = deps;
    this.#sinceChange = deps.database.read(`${SUMS} AND slice = ${SINCE_CHANGE} GROUP BY version_id`);
    this.#within = deps.database.read(`${SUMS} AND version_id = ? AND slice > ? GROUP BY version_id`);
  }

  /** By version; one without calls is missing. */
  async sinceChange(route: Revised): Promise<ReadonlyMap<string, CallCounts>> {
    const rows = await this.#sinceChange.all(route.id, route.revision);
    return new Map(rows.map((row) => [row.version_id, countsOf(row)]));
  }

  /** Of one version, within the window of a rule; the oldest slice may be cut off. */
  async within(rule: RollbackRule, route: Revised, versionId: string): Promise<CallCounts> {
    const from = this.#deps.clock.now() - rule.window_s * 1000;
    const { id, revision } = route;
    const row = await this.#within.first(id, revision, versionId, Math.max(SINCE_CHANGE, from));
    return row ? countsOf(row) : { calls: 0, failed_calls: 0 };
  }

  /** Adds up the rows that processes keep apart. */
  fold(): Promise<void> {
    return this.#deps.outcomes.fold();
  }

  /** Deletes slices that no window reaches any more, and what belongs to former revisions. */
  async deleteOld(): Promise<void> {
    const { database, clock } = this.#deps;
    await database.write([], [{ sql: DELETE_OLD, values: [clock.now()] }]);
  }
}

const SUMS = `SELECT version_id, sum(calls) AS calls, sum(failed_calls) AS failed_calls
  FROM ${routeOutcomes.table} WHERE route_id = ? AND revision = ?`;

const DELETE_OLD = `DELETE FROM gateway_route_calls WHERE expires_at < ? OR NOT EXISTS (
  SELECT 1 FROM gateway_routes
  WHERE gateway_routes.id = gateway_route_calls.route_id
  AND gateway_routes.revision = gateway_route_calls.revision)`;

function countsOf({ calls, failed_calls }: SumRow): CallCounts {
  return { calls: Number(calls), failed_calls: Number(failed_calls) };
}

export const ROUTE_CALLS = token<RouteCalls>('gateway:route-calls');
