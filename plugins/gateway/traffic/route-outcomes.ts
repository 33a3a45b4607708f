import { token, type Rollup, type RollupDefinition, type SqlValue } from '../../../core/index.ts';
import { isGivenUp, type FinishedCall, type RecordCompanion } from '../../invocation/contract.ts';
import { endOf } from '../counters/call-outcomes.ts';
import type { KnownRules } from '../rules/known-rules.ts';
import type { KnownRoute } from './known-route.ts';

/** Not a slice of time: all calls since the route last changed. */
export const SINCE_CHANGE = 0;
/** A window is judged by slices of this part of it. */
const SLICES = 10;
/** When the sums since the change of a route expire by their age. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** How calls of a route's versions ended; `slice` and `expires_at` are milliseconds since 1970. */
export const routeOutcomes: RollupDefinition = {
  table: 'gateway_route_calls',
  key: { route_id: 'text', revision: 'integer', version_id: 'text', slice: 'integer' },
  sums: ['calls', 'failed_calls'],
  latest: { expires_at: 'integer' },
};

export const ROUTE_OUTCOMES = token<Rollup>('gateway:route-outcomes');

/**
 * Counts the calls of versions that have a route, in the transaction of their records: since the route last changed, and
 * by slices of time where a canary may be taken back. A call that was given up before its endpoint answered is left out.
 */
export function countRouteOutcomes(rollup: Rollup, rules: Pick<KnownRules, 'lastRead'>): RecordCompanion {
  return {
    name: 'gateway-routes',
    rowsFor: (calls) => {
      const rows = calls.flatMap((call) => {
        if (call.door !== 'gateway' || isGivenUp(call.errorCode)) return [];
        const route = rules.lastRead?.routeOf(call.algorithmId);
        return route?.roleOf(call.versionId) === undefined ? [] : rowsOf(route, call);
      });
      return rows.length === 0 ? [] : [rollup.append(rows)];
    },
  };
}

function rowsOf(route: KnownRoute, call: FinishedCall): SqlValue[][] {
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
