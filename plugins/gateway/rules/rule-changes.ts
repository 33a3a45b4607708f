import type { Audit, Author, Connection, Database, Invalidation, Transaction } from '../../../core/index.ts';

/** The `Invalidation` topic for changes of policies, block rules and routes. */
export const RULES_CHANGED_TOPIC = 'gateway:rules';

export interface RuleChangesDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly audit: Audit;
}

/** A change as the audit trail keeps it. */
export interface RuleChange {
  readonly by: Author;
  readonly action: string;
  readonly target: { readonly kind: string; readonly id: string; readonly name?: string };
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

/**
 * Changes a rule in a transaction that records it in the audit trail and, by the topic, tells all instances the id of its
 * target. `work` returns what it changed, or nothing, and so does this.
 */
export function changeRule<C extends RuleChange>(
  { database, invalidation, audit }: RuleChangesDeps,
  topic: string,
  work: (trx: Transaction) => Promise<C | undefined>,
): Promise<C | undefined> {
  return database.transaction(async (trx) => {
    const change = await work(trx);
    if (!change) return undefined;
    const { by, action, target, before, after } = change;
    await audit.record(trx, by, { action, target, before, after });
    invalidation.publish(trx, topic, target.id);
    return change;
  });
}

/** A query for a rule that locks it until the end of a transaction, so that changes of one rule come one after another. */
export function lockedIn<Q extends { forUpdate(): Q }>(connection: Connection, query: Q): Q {
  return connection.isTransaction ? query.forUpdate() : query;
}
