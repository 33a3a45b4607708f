import {
  Remembered,
  type Database,
  type PreparedRead,
  type Signals,
  type Transaction,
  type UserPrincipal,
} from '../../core/index.ts';
import { ALGORITHM_CHANGED_TOPIC, type AccessKind, type AccessPolicy } from '../catalogue/contract.ts';
import { GrantRow } from './models.ts';

/** Topic of `Signals` on which the id of an algorithm is published whose grants changed. */
export const GRANTS_CHANGED_TOPIC = 'permissions:grants';

const MOST_REMEMBERED = 10_000;

/** Each kind includes those before it. */
const LEVELS: Readonly<Record<AccessKind, number>> = { read: 1, execute: 2, manage: 3 };

/** What accounts may do by their grants, remembered until the grants of the algorithm change. */
export class GrantMemory implements AccessPolicy {
  readonly name = 'grants';
  readonly #levels = new Remembered<number>({ limit: MOST_REMEMBERED });
  readonly #kinds: PreparedRead<{ permission_type: AccessKind }>;

  constructor(deps: { database: Database; signals: Signals }) {
    this.#kinds = deps.database.read(
      'SELECT permission_type FROM permissions_grants WHERE algorithm_id = ? AND user_id = ?',
    );
    const forget = (algorithmId: string | undefined): void => this.#levels.forget(algorithmId);
    deps.signals.subscribe(GRANTS_CHANGED_TOPIC, forget);
    deps.signals.subscribe(ALGORITHM_CHANGED_TOPIC, forget);
  }

  allows(principal: UserPrincipal, algorithmId: string, kind: AccessKind): boolean | Promise<boolean> {
    const { userId } = principal;
    const held = this.#levels.get(`${algorithmId} ${userId}`, algorithmId, () =>
      this.#read(algorithmId, userId),
    );
    return typeof held === 'number' ? held >= LEVELS[kind] : held.then((level) => level >= LEVELS[kind]);
  }

  /** Whoever remembers hears of it with the algorithm. */
  async takeBack(trx: Transaction, algorithmId: string): Promise<void> {
    await GrantRow.query(trx).delete().where({ algorithm_id: algorithmId });
  }

  async #read(algorithmId: string, userId: string): Promise<number> {
    const rows = await this.#kinds.all(algorithmId, userId);
    return Math.max(0, ...rows.map((row) => LEVELS[row.permission_type]));
  }
}
