import { token, type Clock, type Database, type Invalidation } from '../../../core/index.ts';
import type { GatewaySettings } from '../config.ts';
import { PolicyRow, RouteRow } from '../models.ts';
import { activeBlocks } from './blocks.ts';
import { RULES_CHANGED_TOPIC } from './rule-changes.ts';
import { RuleBook } from './rule-book.ts';

/** The only key of the cache. */
const BOOK = 'book';

export interface RuleCacheDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly clock: Clock;
  readonly settings: Pick<GatewaySettings, 'rate_limit' | 'rate_window_s'>;
}

/** Caches the stored rules, and reads them again after a change on any instance. */
export class RuleCache {
  readonly #deps: RuleCacheDeps;
  readonly #books;
  #last: RuleBook | undefined;

  constructor(deps: RuleCacheDeps) {
    this.#deps = deps;
    this.#books = deps.invalidation.cache<RuleBook>({
      topics: [RULES_CHANGED_TOPIC],
      drops: 'all',
      maxSize: 1,
    });
  }

  /** The present rules; no promise when they are cached. */
  current(): RuleBook | Promise<RuleBook> {
    return this.#books.get(BOOK, () => this.#readBook());
  }

  /** The last rules that this instance has read; a recent change may be missing. */
  get lastRead(): RuleBook | undefined {
    return this.#books.cached(BOOK) ?? this.#last;
  }

  async #readBook(): Promise<RuleBook> {
    const { database, clock, settings } = this.#deps;
    const [policies, blocks, routes] = await Promise.all([
      PolicyRow.query(database.knex).where('enabled', true),
      activeBlocks(database.knex, clock.now()).orderBy('id'),
      RouteRow.query(database.knex),
    ]);
    this.#last = new RuleBook({ policies, blocks, routes, standard: settings });
    return this.#last;
  }
}

export const RULE_CACHE = token<RuleCache>('gateway:rule-cache');
