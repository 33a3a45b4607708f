import type { Audit, Author, Database, Invalidation, Transaction } from '../../../core/index.ts';

/** The `Invalidation` topic for changes of policies, block rules and routes. */
export const RULES_CHANGED_TOPIC = 'gateway:rules';

export interface RuleChangesDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly audit: Audit;
}

/** Which rule changes how, from what to what. */
interface RuleChange {
  readonly kind: 'gateway_block' | 'gateway_policy';
  readonly verb: 'create' | 'update' | 'delete';
  readonly id: string;
  readonly name?: string;
  readonly before?: object;
  readonly after?: object;
}

/** Changes a rule in a transaction that records it in the audit trail and invalidates the rules of all instances. */
export async function changeRule(
  { database, invalidation, audit }: RuleChangesDeps,
  by: Author,
  { kind, verb, id, name, before, after }: RuleChange,
  work: (trx: Transaction) => PromiseLike<unknown>,
): Promise<void> {
  await database.transaction(async (trx) => {
    await work(trx);
    const target = { kind, id, name };
    await audit.record(trx, by, { action: `${kind}.${verb}`, target, before, after });
    invalidation.publish(trx, RULES_CHANGED_TOPIC, id);
  });
}
