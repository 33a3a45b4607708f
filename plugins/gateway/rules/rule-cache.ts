import { LRUCache } from 'lru-cache';
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
  readonly #books: LRUCache<typeof BOOK, RuleBook>;
  #newest: { readonly read: number; readonly book: RuleBook } | undefined;
  #reads = 0;

  constructor(deps: RuleCacheDeps) {
    this.#deps = deps;
    this.#books = new LRUCache<typeof BOOK, RuleBook>({
      max: 1,
      fetchMethod: () => this.#readBook(),
      // An invalidation during a read only keeps its result out of the cache; waiting requests still get the result.
      ignoreFetchAbort: true,
    });
    deps.invalidation.subscribe(RULES_CHANGED_TOPIC, () => this.#books.clear());
  }

  /** The present rules; no promise when they are cached. */
  current(): RuleBook | Promise<RuleBook> {
    return this.#books.get(BOOK) ?? this.#books.forceFetch(BOOK);
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
