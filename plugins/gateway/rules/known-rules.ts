import { Remembered, token, type Database, type Signals } from '../../../core/index.ts';
import type { GatewayLimits } from '../config.ts';
import { BlockRow, PolicyRow } from '../models.ts';
import { RuleBook } from './rule-book.ts';

/** On this topic it is published that a policy or block rule changed. */
export const RULES_CHANGED_TOPIC = 'gateway:rules';

export interface KnownRulesDeps {
  readonly database: Database;
  readonly signals: Signals;
  readonly settings: Pick<GatewayLimits, 'rate_limit' | 'rate_window_s'>;
}

/** The rules as they are stored: remembered, and read again after a change here or on another instance. */
export class KnownRules {
  readonly #deps: KnownRulesDeps;
  readonly #book = new Remembered<RuleBook>({ limit: 1 });
  readonly #read = (): Promise<RuleBook> => this.#readBook();

  constructor(deps: KnownRulesDeps) {
    this.#deps = deps;
    deps.signals.subscribe(RULES_CHANGED_TOPIC, () => this.#book.forget());
  }

  /** At once when remembered. */
  current(): RuleBook | Promise<RuleBook> {
    return this.#book.get('book', 'book', this.#read);
  }

  async #readBook(): Promise<RuleBook> {
    const { database, settings } = this.#deps;
    const [policies, blocks] = await Promise.all([
      PolicyRow.query(database.knex).where('enabled', true),
      BlockRow.query(database.knex),
    ]);
    return new RuleBook({ policies, blocks, standard: settings });
  }
}

export const KNOWN_RULES = token<KnownRules>('gateway:known-rules');
