import { LRUCache } from 'lru-cache';
import { token, type Clock, type Database, type Signals } from '../../../core/index.ts';
import type { GatewayLimits } from '../config.ts';
import { PolicyRow, RouteRow } from '../models.ts';
import { KnownRoute } from '../traffic/known-route.ts';
import { activeBlocks } from './active-blocks.ts';
import { RuleBook } from './rule-book.ts';

/** On this topic it is published that a policy, block rule or route changed. */
export const RULES_CHANGED_TOPIC = 'gateway:rules';

/** The only key of the cache. */
const BOOK = 'book';

export interface KnownRulesDeps {
  readonly database: Database;
  readonly signals: Signals;
  readonly clock: Clock;
  readonly settings: Pick<GatewayLimits, 'rate_limit' | 'rate_window_s'>;
}

/** The rules as they are stored: cached, and read again after a change here or on another instance. */
export class KnownRules {
  readonly #deps: KnownRulesDeps;
  readonly #books: LRUCache<typeof BOOK, RuleBook>;
  #newest: { readonly read: number; readonly book: RuleBook } | undefined;
  #reads = 0;

  constructor(deps: KnownRulesDeps) {
    this.#deps = deps;
    this.#books = new LRUCache<typeof BOOK, RuleBook>({
      max: 1,
      fetchMethod: () => this.#readBook(),
      // A change during a read ends only the caching of its result; the request that waits for it still gets it.
      ignoreFetchAbort: true,
    });
    deps.signals.subscribe(RULES_CHANGED_TOPIC, () => this.#books.clear());
  }

  /** At once when cached. */
  current(): RuleBook | Promise<RuleBook> {
    return this.#books.get(BOOK) ?? this.#books.forceFetch(BOOK);
  }

  /** The newest that this instance has read, for those who cannot wait; a change may not be in it yet. */
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
    const known = routes.map((row) => new KnownRoute(row));
    const book = new RuleBook({ policies, blocks, routes: known, standard: settings });
    if (read > (this.#newest?.read ?? 0)) this.#newest = { read, book };
    return book;
  }
}

export const KNOWN_RULES = token<KnownRules>('gateway:known-rules');
