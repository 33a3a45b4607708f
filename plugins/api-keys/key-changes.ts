import {
  isId,
  isoTime,
  token,
  type Audit,
  type Author,
  type Clock,
  type Database,
  type Invalidation,
  type Transaction,
  type UserPrincipal,
} from '../../core/index.ts';
import type { CredentialUses, SignedIn } from '../users/contract.ts';
import type { ApiKeysSettings } from './config.ts';
import type { KeyRules } from './key-rules.ts';
import { hashOf, maskOf, newKey } from './key-text.ts';
import { KeyRow, publishChange, targetOf } from './models.ts';
import { KeyEnded, KeyNotFound } from './problems.ts';
import type { ApiKey, ApiKeyChangeRequest } from './schemas.ts';
import { shown } from './shown-key.ts';
import { stored, storedScopes } from './stored-lists.ts';

export interface KeyChangesDeps {
  readonly database: Database;
  readonly invalidation: Invalidation;
  readonly clock: Clock;
  readonly signedIn: SignedIn;
  readonly uses: CredentialUses;
  readonly rules: KeyRules;
  readonly settings: ApiKeysSettings;
  readonly audit: Audit;
}

/** Changes keys and gives them new secrets, for their owners. Other instances follow within 2 s. */
export class KeyChanges {
  readonly #deps: KeyChangesDeps;

  constructor(deps: KeyChangesDeps) {
    this.#deps = deps;
  }

  /**
   * The fields of a key that no change may set, without those that a use changes: a key may be used between a read and the change
   * that sends it back. Throws `KeyNotFound`.
   */
  async fixed({ userId }: UserPrincipal, id: string): Promise<object> {
    const row = await ownRow(this.#deps.database.knex, userId, id);
    const { key, user_id, status, expires_soon, previous_expires_at, created_at } = await this.#answer(row);
    return { id, user_id, key, status, expires_soon, previous_expires_at, created_at };
  }

  /** Changes what is named. Throws `KeyNotFound`, `KeyEnded`, `ValidationFailed` and `InvalidCredentials`. */
  async change(
    principal: UserPrincipal,
    id: string,
    changes: ApiKeyChangeRequest,
    by: Author,
  ): Promise<ApiKey> {
    const { rules } = this.#deps;
    const { name, expires_at, scopes, algorithms, networks } = changes;
    const expiry = expires_at === undefined ? undefined : rules.expiry(expires_at);
    rules.networks(networks);
    await rules.algorithms(principal, algorithms);
    const row = await this.#changed(principal, id, { action: 'api_key.update', by }, (before) => ({
      ...(name !== undefined && { name }),
      // Another expiry is warned about anew.
      ...(expiry !== undefined && expiry !== before.expires_at && { expires_at: expiry, warned_at: null }),
      ...(scopes !== undefined && { scopes: storedScopes(scopes) }),
      ...(algorithms !== undefined && { algorithms: stored(algorithms) }),
      ...(networks !== undefined && { networks: stored(networks) }),
    }));
    return await this.#answer(row);
  }

  /**
   * Gives a key a new secret; only this answer contains it. The one before works for `overlapSeconds` more, and one that was
   * still in such an overlap ends at once. Throws `KeyNotFound`, `KeyEnded` and `InvalidCredentials`.
   */
  async rotate(principal: UserPrincipal, id: string, overlapSeconds: number, by: Author): Promise<ApiKey> {
    const key = newKey();
    const until = isoTime(this.#deps.clock.now() + overlapSeconds * 1000);
    const row = await this.#changed(principal, id, { action: 'api_key.rotate', by }, ({ hash }) => ({
      hash: hashOf(key),
      mask: maskOf(key),
      previous_hash: overlapSeconds > 0 ? hash : null,
      previous_until: overlapSeconds > 0 ? until : null,
    }));
    return { ...(await this.#answer(row)), key };
  }

  async #changed(
    principal: UserPrincipal,
    id: string,
    { action, by }: { readonly action: string; readonly by: Author },
    changes: (row: KeyRow) => Partial<KeyRow>,
  ): Promise<KeyRow> {
    const { database, invalidation, clock, signedIn, audit } = this.#deps;
    return await database.transaction(async (trx) => {
      // Locks the account, so that changes of its keys come one after another.
      await signedIn.hold(trx, principal);
      const row = await ownRow(trx, principal.userId, id);
      const now = isoTime(clock.now());
      const wanted = changes(row);
      const updated_at = row.differsFrom(wanted) ? now : row.updated_at;
      const [changed] = await KeyRow.query(trx)
        .where('id', id)
        .whereNull('revoked_at')
        .where('expires_at', '>', now)
        .patch({ ...wanted, updated_at })
        .returning('*');
      if (!changed)
        throw KeyEnded(`The API key "${row.name}" was revoked or has expired. Create another one.`);
      const [before, after] = [shown(row, this.#shownAt()), shown(changed, this.#shownAt())];
      await audit.record(trx, by, { action, target: targetOf(changed), before, after });
      publishChange(invalidation, trx, [row, changed]);
      return changed;
    });
  }

  async #answer(row: KeyRow): Promise<ApiKey> {
    const last = await this.#deps.uses.lastOf([row.id]);
    return shown(row, this.#shownAt(), last.get(row.id));
  }

  #shownAt() {
    return { now: this.#deps.clock.now(), warnDays: this.#deps.settings.warn_days };
  }
}

/** The row of a key of a user. Throws `KeyNotFound`. */
async function ownRow(trx: Transaction | Database['knex'], userId: string, id: string): Promise<KeyRow> {
  const row = isId(id) ? await KeyRow.query(trx).findOne({ id, user_id: userId }) : undefined;
  if (!row) throw KeyNotFound(`You have no API key with the id "${id}".`);
  return row;
}

export const KEY_CHANGES = token<KeyChanges>('api-keys:changes');
