import type { Audit, Author, Database, Logger, Invalidation, Transaction } from '../../../core/index.ts';

/** The `Invalidation` topic for changes of policies, block rules and routes. */
export const RULES_CHANGED_TOPIC = 'gateway:rules';

export interface RuleChangesDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly logger: Logger;
  readonly audit: Audit;
}

/** Which rule changes, by whom, from what to what. */
interface RuleChange {
  readonly id: string;
  readonly by: Author;
  readonly name?: string;
  readonly before?: object;
  readonly after?: object;
}

const VERBS = { created: 'create', updated: 'update', deleted: 'delete' } as const;

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
    { id, by, name, before, after }: RuleChange,
    work: (trx: Transaction) => PromiseLike<unknown>,
  ): Promise<void> {
    const { database, invalidation, logger, audit } = this.#deps;
    const kind = `gateway_${this.#kind}`;
    await database.transaction(async (trx) => {
      await work(trx);
      const target = { kind, id, name };
      await audit.record(trx, by, { action: `${kind}.${VERBS[what]}`, target, before, after });
      invalidation.publish(trx, RULES_CHANGED_TOPIC, id);
    });
    const rule = this.#kind === 'block' ? 'block rule' : 'policy';
    logger.info({ [`${this.#kind}_id`]: id, user_id: by.user_id }, `A ${rule} of the gateway was ${what}.`);
  }
}
