import {
  isId,
  isoTime,
  newId,
  token,
  UniqueViolation,
  type Audit,
  type Author,
  type Clock,
  type Database,
  type EventBus,
  type Logger,
  type Metrics,
  type Invalidation,
  type Transaction,
} from '../../../core/index.ts';
import { routeChanged } from '../contract.ts';
import { routeChanges } from '../metrics.ts';
import { RouteChangeRow, RouteRow } from '../models.ts';
import { RouteConflict, TooManyRules } from '../problems.ts';
import { RULES_CHANGED_TOPIC } from '../rules/rule-changes.ts';
import { weightsOf } from './shares.ts';
import type { RouteFields, RouteRule } from './version-route.ts';

const MOST_ROUTES = 1000;
const MOST_CHANGES = 50;

/** The actions as the audit trail names them. */
const VERBS = {
  set: 'set',
  promoted: 'promote',
  rolled_back: 'roll_back',
  taken_back: 'take_back',
  version_deleted: 'leave_out',
  deleted: 'delete',
} as const satisfies Record<RouteChangeRow['action'] | 'deleted', string>;

/** A change of a route: the action, its author and its reason, and the fields, which a deletion does not have. */
export interface RouteChange {
  readonly action: keyof typeof VERBS;
  readonly by: Author;
  readonly reason: string | null;
  readonly fields?: RouteFields;
}

/** A change that was made, and the route after it, or before its deletion. */
interface MadeChange {
  readonly change: RouteChange;
  readonly route: RouteRule;
}

export interface RouteStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly invalidation: Invalidation;
  readonly events: EventBus;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly audit: Audit;
}

/** Stores routes and their history. The lock on the row of a route serialises its changes on all instances. */
export class RouteStore {
  readonly #deps: RouteStoreDeps;

  constructor(deps: RouteStoreDeps) {
    this.#deps = deps;
  }

  async list(skip: number, limit: number): Promise<{ routes: RouteRow[]; total: number }> {
    const { results, total } = await RouteRow.query(this.#deps.database.knex)
      .orderBy('id', 'desc')
      .range(skip, skip + limit - 1);
    return { routes: results, total };
  }

  async find(algorithmId: string): Promise<RouteRow | undefined> {
    if (!isId(algorithmId)) return undefined;
    return RouteRow.query(this.#deps.database.knex).findOne('algorithm_id', algorithmId);
  }

  /** The last changes of a route, newest first. */
  async history({ id }: RouteRow): Promise<RouteChangeRow[]> {
    return RouteChangeRow.query(this.#deps.database.knex).where('route_id', id).orderBy('revision', 'desc');
  }

  /**
   * Makes, changes or deletes the route of an algorithm as `decide` says, from its present state. Does nothing when `decide`
   * returns `undefined` or no difference. Throws what `decide` throws, `TooManyRules`, or `RouteConflict` when the algorithm
   * has just got a route.
   */
  async change(
    algorithmId: string,
    decide: (before: RouteRow | undefined) => RouteChange | undefined,
  ): Promise<void> {
    let made: MadeChange | undefined;
    try {
      made = await this.#deps.database.transaction(async (trx) => {
        const before = await lockedRow(algorithmId, trx);
        const change = decide(before);
        return change && this.#make(trx, algorithmId, before, change);
      });
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      throw RouteConflict('A route for this algorithm has just been made. Read it first.');
    }
    if (made) this.#announce(made);
  }

  async #make(
    trx: Transaction,
    algorithmId: string,
    before: RouteRow | undefined,
    change: RouteChange,
  ): Promise<MadeChange | undefined> {
    const fields = change.fields && fieldsOf(change.fields);
    if (before && fields && !before.differsFrom(fields)) return undefined;
    const { id, revision } = before ?? { id: newId(), revision: 0 };
    const after = fields && { id, algorithm_id: algorithmId, ...fields, revision: revision + 1 };
    if (after) await this.#write(trx, before, after, change);
    else await deleteRoute(trx, id);
    await this.#record(trx, change, { before, after });
    this.#deps.invalidation.publish(trx, RULES_CHANGED_TOPIC, algorithmId);
    return { change, route: (after ?? before)! };
  }

  async #write(
    trx: Transaction,
    before: RouteRow | undefined,
    after: RouteRule,
    change: RouteChange,
  ): Promise<void> {
    const now = isoTime(this.#deps.clock.now());
    if (before) {
      await RouteRow.query(trx)
        .findById(after.id)
        .patch({ ...after, updated_at: now });
    } else {
      if ((await RouteRow.query(trx).resultSize()) >= MOST_ROUTES) {
        throw TooManyRules(`There are ${MOST_ROUTES} routes. Delete those that are not needed.`);
      }
      await RouteRow.query(trx).insert({ ...after, created_at: now, updated_at: now });
    }
    await RouteChangeRow.query(trx).insert({
      route_id: after.id,
      revision: after.revision,
      action: change.action as RouteChangeRow['action'],
      changed_by: change.by.user_id ?? null,
      reason: change.reason,
      stable_version_id: after.stable_version_id,
      versions: weightsOf(after.shares),
      changed_at: now,
    });
    await RouteChangeRow.query(trx)
      .delete()
      .where('route_id', after.id)
      .where('revision', '<=', after.revision - MOST_CHANGES);
  }

  async #record(
    trx: Transaction,
    { action, by, reason }: RouteChange,
    { before, after }: { readonly before: RouteRule | undefined; readonly after: RouteRule | undefined },
  ): Promise<void> {
    await this.#deps.audit.record(trx, by, {
      action: `gateway_route.${VERBS[action]}`,
      target: { kind: 'gateway_route', id: (after ?? before)?.algorithm_id },
      before: before && audited(before),
      after: after && { ...audited(after), ...(reason !== null && { reason }) },
    });
  }

  /** Logs and counts the change and emits its event, after the commit. */
  #announce({ change: { action, by, reason }, route }: MadeChange): void {
    const { events, metrics, logger } = this.#deps;
    const { algorithm_id, stable_version_id, shares } = route;
    const versions = weightsOf(shares);
    const changed_by = by.user_id ?? null;
    const fact = { algorithm_id, action, changed_by, reason, stable_version_id, versions };
    metrics.counter(routeChanges.name).labels(action).inc();
    if (action === 'taken_back') logger.warn(fact, 'A canary failed and was taken back.');
    else logger.info(fact, 'The route of an algorithm changed.');
    events.emit(routeChanged, fact);
  }
}

/** Reads a route and locks it until the transaction ends. */
async function lockedRow(algorithmId: string, trx: Transaction): Promise<RouteRow | undefined> {
  return isId(algorithmId) ? RouteRow.query(trx).findOne('algorithm_id', algorithmId).forUpdate() : undefined;
}

function fieldsOf({ stable_version_id, shares, sticky, applies_to, rollback }: RouteFields): RouteFields {
  return { stable_version_id, shares, sticky, applies_to, rollback };
}

async function deleteRoute(trx: Transaction, id: string): Promise<void> {
  await RouteChangeRow.query(trx).delete().where('route_id', id);
  await RouteRow.query(trx).deleteById(id);
}

/** A route as the audit trail keeps it: per cent instead of the slots of callers. */
function audited({ shares, stable_version_id, sticky, applies_to, rollback }: RouteRule): object {
  return { stable_version_id, versions: weightsOf(shares), sticky, applies_to, rollback };
}

export const ROUTE_STORE = token<RouteStore>('gateway:route-store');
