import { token, type Clock, type Database, type Invalidation } from '../../../core/index.ts';
import type { GatewayLimits } from '../config.ts';
import { PolicyRow, RouteRow } from '../models.ts';
import { VersionRoute } from '../traffic/version-route.ts';
import { activeBlocks } from './blocks.ts';
import { RULES_CHANGED_TOPIC } from './rule-changes.ts';
import { RuleBook } from './rule-book.ts';

/** The only key of the cache. */
const BOOK = 'book';

export interface RuleCacheDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly clock: Clock;
  readonly settings: Pick<GatewayLimits, 'rate_limit' | 'rate_window_s'>;
}

/** Caches the stored rules, and reads them again after a change on any instance. */
export class RuleCache {
  readonly #deps: RuleCacheDeps;
  readonly #books;
  #newest: { readonly read: number; readonly book: RuleBook } | undefined;
  #reads = 0;

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
    return this.#newest?.book;
  }

  async #readBook(): Promise<RuleBook> {
    const { database, clock, settings } = this.#deps;
    const read = ++this.#reads;
    const [policies, blocks, routes] = await Promise.all([
      PolicyRow.query(database.knex).where('enabled', true),
      activeBlocks(database.knex, clock.now()).orderBy('id'),
      RouteRow.query(database.knex),
    ]);
    const known = routes.map((row) => new VersionRoute(row));
    const book = new RuleBook({ policies, blocks, routes: known, standard: settings });
    if (read > (this.#newest?.read ?? 0)) this.#newest = { read, book };
    return book;
  }
}

export const RULE_CACHE = token<RuleCache>('gateway:rule-cache');
