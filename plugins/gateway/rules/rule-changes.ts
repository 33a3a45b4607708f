import type { Audit, Author, Database, Invalidation, Transaction } from '../../../core/index.ts';

/** The `Invalidation` topic for changes of policies, block rules and routes. */
export const RULES_CHANGED_TOPIC = 'gateway:rules';

export interface RuleChangesDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly audit: Audit;
}

/** Which rule changes, and how. */
interface RuleChange {
  readonly kind: 'gateway_block' | 'gateway_policy';
  readonly verb: 'create' | 'update' | 'delete';
  readonly id: string;
}

/** A rule before and after a change, for the audit trail. */
interface RuleStates {
  readonly name?: string;
  readonly before?: object;
  readonly after?: object;
}

/**
 * Changes a rule in a transaction that records it in the audit trail and invalidates the rules of all instances. `work`
 * returns what it changed, or nothing.
 */
export async function changeRule(
  { database, invalidation, audit }: RuleChangesDeps,
  by: Author,
  { kind, verb, id }: RuleChange,
  work: (trx: Transaction) => Promise<RuleStates | undefined>,
): Promise<void> {
  await database.transaction(async (trx) => {
    const states = await work(trx);
    if (states === undefined) return;
    const { name, before, after } = states;
    await audit.record(trx, by, { action: `${kind}.${verb}`, target: { kind, id, name }, before, after });
    invalidation.publish(trx, RULES_CHANGED_TOPIC, id);
  });
}
