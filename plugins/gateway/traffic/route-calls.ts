import {
  token,
  type Clock,
  type Database,
  type PreparedRead,
  type SqlValue,
  defineRollup,
} from '../../../core/index.ts';
import { isGivenUp, type FinishedCall, type RecordHook } from '../../invocation/contract.ts';
import { endOf } from '../counters/gateway-counters.ts';
import type { RollbackRule } from '../models.ts';
import type { RuleCache } from '../rules/rule-cache.ts';
import type { RouteRule, VersionRoute } from './version-route.ts';

/** Stands for a slice of time: all calls since the route last changed. */
const SINCE_CHANGE = 0;
/** The number of slices in the window of a rule. */
const SLICES = 10;
/** The longest window of a rule, and time to fold its slices. */
const SLICE_KEPT_MS = 2 * 3_600_000;

/** The roll-up of how calls of a route's versions ended; `slice` is in milliseconds since 1970. */
export const routeCallRollup = defineRollup({
  table: 'gateway_route_calls',
  key: { route_id: 'text', revision: 'integer', version_id: 'text', slice: 'integer' },
  sums: ['calls', 'failed_calls'],
});

/** The numbers of ended and of failed calls. */
export interface CallCounts {
  readonly calls: number;
  readonly failed_calls: number;
}

interface SumRow extends CallCounts {
  readonly version_id: string;
}

type Revised = Pick<RouteRule, 'id' | 'revision'>;

const SUMS = `SELECT version_id, sum(calls) AS calls, sum(failed_calls) AS failed_calls
  FROM gateway_route_calls WHERE route_id = ? AND revision = ?`;

const DELETE_OLD = `DELETE FROM gateway_route_calls WHERE (slice > ${SINCE_CHANGE} AND slice < ?) OR NOT EXISTS (
  SELECT 1 FROM gateway_routes
  WHERE gateway_routes.id = gateway_route_calls.route_id
  AND gateway_routes.revision = gateway_route_calls.revision)`;

/** Counts how the calls of a route's versions ended on all instances since the route last changed. */
export class RouteCalls {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #rollup;
  readonly #sinceChange: PreparedRead<SumRow>;
  readonly #within: PreparedRead<SumRow>;

  constructor({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
    this.#rollup = routeCallRollup.writer(database);
    this.#sinceChange = database.read(`${SUMS} AND slice = ${SINCE_CHANGE} GROUP BY version_id`);
    this.#within = database.read(`${SUMS} AND version_id = ? AND slice > ? GROUP BY version_id`);
  }

  /**
   * Makes the hook that counts calls in the transaction of their records: since the route last changed and, where a
   * canary may be taken back, by slices of time. It ignores calls that ended before their endpoint answered.
   */
  hook(rules: Pick<RuleCache, 'lastRead'>): RecordHook {
    return {
      name: 'gateway-routes',
      rowsFor: (calls) => {
        const rows = calls.flatMap((call) => {
          if (call.channel !== 'gateway' || isGivenUp(call.error_code)) return [];
          const route = rules.lastRead?.routeOf(call.algorithm_id);
          return route?.roleOf(call.version_id) === undefined ? [] : rowsOf(route, call);
        });
        return rows.length === 0 ? [] : [this.#rollup.append(rows)];
      },
    };
  }

  /** The counts by version since the route last changed. Versions without calls are missing. */
  async sinceChange(route: Revised): Promise<ReadonlyMap<string, CallCounts>> {
    const rows = await this.#sinceChange.all(route.id, route.revision);
    return new Map(rows.map(({ version_id, ...counts }) => [version_id, counts]));
  }

  /** The counts of a version within the window of a rule, without the oldest, incomplete slice. */
  async within(rule: RollbackRule, route: Revised, versionId: string): Promise<CallCounts> {
    const from = this.#clock.now() - rule.window_s * 1000;
    const { id, revision } = route;
    const row = await this.#within.first(id, revision, versionId, Math.max(SINCE_CHANGE, from));
    return row ?? { calls: 0, failed_calls: 0 };
  }

  /** Deletes slices that are older than every window, and counts of former revisions. */
  async deleteOld(): Promise<void> {
    await this.#database.write([], [{ sql: DELETE_OLD, values: [this.#clock.now() - SLICE_KEPT_MS] }]);
  }
}

function rowsOf(route: VersionRoute, call: FinishedCall): SqlValue[][] {
  const { id, revision } = route.rule;
  const failed = call.status === 'success' ? 0 : 1;
  const rule = route.rollbackRuleOf(call.version_id);
  const slices = [SINCE_CHANGE, ...(rule ? [sliceOf(rule, endOf(call))] : [])];
  return slices.map((slice) => [id, revision, call.version_id, slice, 1, failed]);
}

/** When the slice of the window begins in which a call ended. */
function sliceOf({ window_s }: RollbackRule, endedAt: number): number {
  const sliceMs = (window_s * 1000) / SLICES;
  return Math.floor(endedAt / sliceMs) * sliceMs;
}

export const ROUTE_CALLS = token<RouteCalls>('gateway:route-calls');
