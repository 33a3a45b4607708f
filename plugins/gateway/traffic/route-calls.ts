import {
  createRollup,
  token,
  type Clock,
  type Database,
  type PreparedRead,
  type Rollup,
  type RollupDefinition,
  type SqlValue,
} from '../../../core/index.ts';
import { isGivenUp, type FinishedCall, type RecordHook } from '../../invocation/contract.ts';
import { endOf } from '../counters/gateway-counters.ts';
import type { RuleCache } from '../rules/rule-cache.ts';
import type { RollbackRule, RouteRule, VersionRoute } from './version-route.ts';

/** Not a slice of time: all calls since the route last changed. */
const SINCE_CHANGE = 0;
/** A window is judged by slices of this part of it. */
const SLICES = 10;
/** In place of an end of the sums since the change of a route. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** How calls of a route's versions ended; `slice` and `expires_at` are milliseconds since 1970. */
export const routeCallRollup: RollupDefinition = {
  table: 'gateway_route_calls',
  key: { route_id: 'text', revision: 'integer', version_id: 'text', slice: 'integer' },
  sums: ['calls', 'failed_calls'],
  latest: { expires_at: 'integer' },
};

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

type Revised = Pick<RouteRule, 'id' | 'revision'>;

const SUMS = `SELECT version_id, sum(calls) AS calls, sum(failed_calls) AS failed_calls
  FROM gateway_route_calls WHERE route_id = ? AND revision = ?`;

const DELETE_OLD = `DELETE FROM gateway_route_calls WHERE expires_at < ? OR NOT EXISTS (
  SELECT 1 FROM gateway_routes
  WHERE gateway_routes.id = gateway_route_calls.route_id
  AND gateway_routes.revision = gateway_route_calls.revision)`;

/** Counts how the calls of a route's versions end, on all instances together, since the route last changed. */
export class RouteCalls {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #rollup: Rollup;
  readonly #sinceChange: PreparedRead<SumRow>;
  readonly #within: PreparedRead<SumRow>;

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
    this.#rollup = createRollup(database, routeCallRollup);
    this.#sinceChange = database.read(`${SUMS} AND slice = ${SINCE_CHANGE} GROUP BY version_id`);
    this.#within = database.read(`${SUMS} AND version_id = ? AND slice > ? GROUP BY version_id`);
  }

  /**
   * Counts calls in the transaction of their records: since the route last changed, and by slices of time where a canary
   * may be taken back. A call that was given up before its endpoint answered is left out.
   */
  hook(rules: Pick<RuleCache, 'lastRead'>): RecordHook {
    return {
      name: 'gateway-routes',
      rowsFor: (calls) => {
        const rows = calls.flatMap((call) => {
          if (call.channel !== 'gateway' || isGivenUp(call.errorCode)) return [];
          const route = rules.lastRead?.routeOf(call.algorithmId);
          return route?.roleOf(call.versionId) === undefined ? [] : rowsOf(route, call);
        });
        return rows.length === 0 ? [] : [this.#rollup.append(rows)];
      },
    };
  }

  /** By version; one without calls is missing. */
  async sinceChange(route: Revised): Promise<ReadonlyMap<string, CallCounts>> {
    const rows = await this.#sinceChange.all(route.id, route.revision);
    return new Map(rows.map((row) => [row.version_id, countsOf(row)]));
  }

  /** Of one version, within the window of a rule; the oldest slice may be cut off. */
  async within(rule: RollbackRule, route: Revised, versionId: string): Promise<CallCounts> {
    const from = this.#clock.now() - rule.window_s * 1000;
    const { id, revision } = route;
    const row = await this.#within.first(id, revision, versionId, Math.max(SINCE_CHANGE, from));
    return row ? countsOf(row) : { calls: 0, failed_calls: 0 };
  }

  /** Adds up the rows that processes keep apart. */
  fold(): Promise<void> {
    return this.#rollup.fold();
  }

  /** Deletes slices that no window reaches any more, and what belongs to former revisions. */
  async deleteOld(): Promise<void> {
    await this.#database.write([], [{ sql: DELETE_OLD, values: [this.#clock.now()] }]);
  }
}

function rowsOf(route: VersionRoute, call: FinishedCall): SqlValue[][] {
  const { id, revision } = route.rule;
  const failed = call.status === 'success' ? 0 : 1;
  const row = (slice: number, expiresAt: number): SqlValue[] => {
    return [id, revision, call.versionId, slice, 1, failed, expiresAt];
  };
  const rows = [row(SINCE_CHANGE, NEVER)];
  const rule = route.rollbackRuleOf(call.versionId);
  if (rule) {
    const windowMs = rule.window_s * 1000;
    const sliceMs = windowMs / SLICES;
    rows.push(row(Math.floor(endOf(call) / sliceMs) * sliceMs, endOf(call) + 2 * windowMs));
  }
  return rows;
}

function countsOf({ calls, failed_calls }: SumRow): CallCounts {
  return { calls: Number(calls), failed_calls: Number(failed_calls) };
}

export const ROUTE_CALLS = token<RouteCalls>('gateway:route-calls');
