import { ValidationFailed } from '../../../core/index.ts';
import type { RollbackRule, Weight } from '../models.ts';
import { NoCanary, RouteConflict, RouteNotFound } from '../problems.ts';
import type { RouteRequest } from './schemas.ts';
import { SLOTS, sharedOut } from './shares.ts';
import type { RouteFields, RouteRule } from './version-route.ts';

const MIN_CALLS = 20;
const WINDOW_S = 60;

/**
 * Applies a request to a route. Fields that are left out keep their values, or get defaults in a new route. Throws
 * `ValidationFailed` for weights that do not add up to 100 and for a stable version that is not among the versions.
 */
export function requestedFields(
  request: RouteRequest,
  before: RouteFields | undefined,
  defaultVersionId: string,
): RouteFields {
  const { versions, sticky = true, applies_to = 'default' } = { ...before, ...request };
  const stable = request.stable_version_id ?? before?.stable_version_id ?? defaultVersionId;
  const sum = versions.reduce((all, { percent }) => all + percent, 0);
  if (sum !== SLOTS) throw unroutable('versions', `must have percents that add up to 100, not ${sum}`);
  if (!versions.some(({ version_id }) => version_id === stable)) throw missingStable(request, stable);
  return {
    stable_version_id: stable,
    shares: sharedOut(versions, stable, before?.shares ?? []),
    sticky,
    applies_to,
    rollback: request.rollback === undefined ? (before?.rollback ?? null) : ruleOf(request.rollback),
  };
}

/** Throws `ValidationFailed` when a version is named twice. */
export function refuseDuplicates(versions: readonly Weight[]): void {
  const seen = new Set<string>();
  for (const [index, { version_id: id }] of versions.entries()) {
    if (seen.has(id)) throw unroutable(`versions/${index}/version_id`, `names the version "${id}" again`);
    seen.add(id);
  }
}

/**
 * The canary that is meant. Throws `NoCanary`, or `ValidationFailed` when it is none of the route or several could be meant.
 */
export function canaryOf({ shares, stable_version_id }: RouteFields, wanted: string | undefined): string {
  const canaries = shares.map(({ version_id }) => version_id).filter((id) => id !== stable_version_id);
  if (canaries.length === 0) throw NoCanary('The route has the stable version alone.');
  if (wanted === undefined && canaries.length === 1) return canaries[0]!;
  if (wanted !== undefined && canaries.includes(wanted)) return wanted;
  throw unroutable('version_id', `must be one of the canaries of the route: ${canaries.join(', ')}`);
}

/** Throws `RouteConflict` when a request is about another revision of the route. */
export function refuseConflict(route: RouteRule | undefined, revision: number | undefined): void {
  if (revision === undefined || revision === route?.revision) return;
  if (!route) throw RouteConflict('The route was deleted meanwhile.');
  throw RouteConflict(
    `The route is at revision ${route.revision}, not ${revision}. Read it, and decide again.`,
  );
}

export function missingRoute(algorithmId: string): Error {
  return RouteNotFound(`The gateway has no route for the algorithm "${algorithmId}".`);
}

/** The refusal of a field of a request, named by its pointer in the body. */
export function unroutable(field: string, message: string): Error {
  return ValidationFailed(`The route is invalid: "${field}" ${message}.`, {
    errors: [{ pointer: `/body/${field}`, message: `${message}.` }],
  });
}

function missingStable(request: RouteRequest, stable: string): Error {
  const way = `must contain the stable version "${stable}", with 0 percent when it gets nothing`;
  return request.stable_version_id === undefined
    ? unroutable('versions', `${way}; or name another one in "stable_version_id"`)
    : unroutable('stable_version_id', `must be one of the versions, and "${stable}" is not`);
}

function ruleOf(request: NonNullable<RouteRequest['rollback']> | null): RollbackRule | null {
  if (request === null) return null;
  const { max_failure_percent, min_calls = MIN_CALLS, window_s = WINDOW_S } = request;
  return { max_failure_percent, min_calls, window_s };
}
