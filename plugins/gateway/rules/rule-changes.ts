import type { Database, Logger, Invalidation, Transaction } from '../../../core/index.ts';

/** The `Invalidation` topic for changes of policies, block rules and routes. */
export const RULES_CHANGED_TOPIC = 'gateway:rules';

export interface RuleChangesDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly logger: Logger;
}

/** Makes and logs changes of rules of one kind, and invalidates the rules of all instances. */
export class RuleChanges {
  readonly #deps: RuleChangesDeps;
  readonly #kind: 'block' | 'policy';

  constructor(deps: RuleChangesDeps, kind: 'block' | 'policy') {
    this.#deps = deps;
    this.#kind = kind;
  }

  /** Runs work in a transaction whose commit invalidates the rules of all instances. */
  async make(
    what: 'created' | 'updated' | 'deleted',
    { id, by }: { readonly id: string; readonly by: string },
    work: (trx: Transaction) => PromiseLike<unknown>,
  ): Promise<void> {
    const { database, invalidation, logger } = this.#deps;
    await database.transaction(async (trx) => {
      await work(trx);
      invalidation.publish(trx, RULES_CHANGED_TOPIC, id);
    });
    const name = this.#kind === 'block' ? 'block rule' : 'policy';
    logger.info({ [`${this.#kind}_id`]: id, user_id: by }, `A ${name} of the gateway was ${what}.`);
  }
}
