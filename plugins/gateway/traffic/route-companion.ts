import type { BatchInsert, SqlValue } from '../../../core/index.ts';
import { isGivenUp, type FinishedCall, type RecordCompanion } from '../../invocation/contract.ts';
import type { KnownRules } from '../rules/known-rules.ts';
import type { KnownRoute, RollbackRule } from './known-route.ts';

/** Not a slice of time: all calls since the route last changed. */
export const SINCE_CHANGE = 0;
/** A window is judged by slices of this part of it. */
const SLICES = 10;

/** Readers add up all shards. */
const SHARD = 0;

const COLUMNS = {
  route_id: 'text',
  revision: 'integer',
  version_id: 'text',
  slice: 'integer',
  shard: 'integer',
  calls: 'integer',
  failed_calls: 'integer',
  expires_at: 'integer',
} as const;

const ON_CONFLICT = {
  key: ['route_id', 'revision', 'version_id', 'slice', 'shard'],
  add: ['calls', 'failed_calls'],
} as const;

interface Count {
  readonly route: KnownRoute;
  readonly versionId: string;
  /** When the slice began, in milliseconds since 1970. */
  readonly slice: number;
  readonly expiresAt: number | null;
  calls: number;
  failed: number;
}

/**
 * Counts the calls of versions that have a route, in the transaction of their records: since the route last changed,
 * and by slices of time where a canary may be taken back. A call that was given up before its endpoint answered shows nothing and is left out.
 */
export function routeCompanion(rules: Pick<KnownRules, 'lastRead'>): RecordCompanion {
  return {
    name: 'gateway-routes',
    rowsFor: (calls) => {
      const book = rules.lastRead;
      const counts = new Map<string, Count>();
      for (const call of calls) {
        if (call.door !== 'gateway' || isGivenUp(call.errorCode)) continue;
        const route = book?.routeOf(call.algorithmId);
        if (route?.roleOf(call.versionId) !== undefined) addCall(counts, route, call);
      }
      return counts.size === 0 ? [] : [addToRouteCalls(Array.from(counts.values()))];
    },
  };
}

function addCall(counts: Map<string, Count>, route: KnownRoute, call: FinishedCall): void {
  const { versionId } = call;
  const add = (slice: number, expiresAt: number | null): void => {
    const key = `${route.rule.id} ${versionId} ${slice}`;
    const count = counts.get(key) ?? { route, versionId, slice, expiresAt, calls: 0, failed: 0 };
    count.calls += 1;
    count.failed += call.status === 'success' ? 0 : 1;
    counts.set(key, count);
  };
  add(SINCE_CHANGE, null);
  const rule = route.rollbackRuleOf(versionId);
  if (rule) add(sliceOf(rule, call), expiryOf(rule, call));
}

function sliceOf({ window_s }: RollbackRule, call: FinishedCall): number {
  const length = (window_s * 1000) / SLICES;
  return Math.floor(endOf(call) / length) * length;
}

function expiryOf({ window_s }: RollbackRule, call: FinishedCall): number {
  return endOf(call) + 2 * window_s * 1000;
}

function endOf({ createdAt, seconds }: FinishedCall): number {
  return createdAt + Math.round(seconds * 1000);
}

function addToRouteCalls(counts: readonly Count[]): BatchInsert {
  return {
    table: 'gateway_route_calls',
    columns: COLUMNS,
    rows: counts.map(({ route, versionId, slice, expiresAt, calls, failed }): SqlValue[] => {
      const { id, revision } = route.rule;
      return [id, revision, versionId, slice, SHARD, calls, failed, expiresAt];
    }),
    onConflict: ON_CONFLICT,
  };
}
