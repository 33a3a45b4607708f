import {
  isoTime,
  token,
  type Author,
  type Clock,
  type Database,
  type Logger,
  type UserPrincipal,
  type Vault,
} from '../../../core/index.ts';
import type { SessionRequest, Vouching } from '../../users/contract.ts';
import { SessionRow } from '../models.ts';
import type { Provider } from '../provider/provider.ts';
import type { Providers } from '../provider/provider-list.ts';

const PURPOSE = 'oidc:id-token';

export interface ProviderSessionsDeps {
  readonly database: Database;
  readonly vouching: Vouching;
  readonly providers: Providers;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A session to open after a sign-in by a provider. */
export interface NewSession {
  readonly provider: Provider;
  readonly accountId: string;
  readonly idToken: string;
}

/** Sessions that a provider opened. It is told when they end, where it has a page for that. */
export class ProviderSessions {
  readonly #deps: ProviderSessionsDeps;

  constructor(deps: ProviderSessionsDeps) {
    this.#deps = deps;
  }

  /** Returns the header `Set-Cookie` of the new session. Throws `InvalidCredentials` unless the account is active. */
  async open({ provider, accountId, idToken }: NewSession, request: SessionRequest): Promise<string> {
    const { database, vouching, vault } = this.#deps;
    const { id, expires_at, cookie } = await vouching.openSession(accountId, request, {
      provider: provider.id,
    });
    const id_token = vault.seal(PURPOSE, id, idToken);
    const row = { id, user_id: accountId, provider: provider.id, id_token, expires_at };
    await SessionRow.query(database.knex).insert(row);
    return cookie;
  }

  /** Ends the session. Returns the address of the provider's page for it, where it has one, and the header `Set-Cookie`. */
  async end(
    principal: UserPrincipal,
    request: SessionRequest,
    by: Author,
  ): Promise<{ readonly url: string | null; readonly cookie: string }> {
    const { database, vouching } = this.#deps;
    const row = await SessionRow.query(database.knex).findById(principal.credentialId);
    const cookie = await vouching.endSession(principal, request, by);
    if (!row) return { url: null, cookie };
    await SessionRow.query(database.knex).deleteById(row.id);
    return { url: await this.#endPage(row, request), cookie };
  }

  /** Forgets those that have expired. */
  async deleteEnded(): Promise<void> {
    const { database, clock } = this.#deps;
    await SessionRow.query(database.knex).where('expires_at', '<=', isoTime(clock.now())).delete();
  }

  /** Signing out here works also while the provider is away, or when it is no longer in the settings. */
  async #endPage(row: SessionRow, { publicUrl }: SessionRequest): Promise<string | null> {
    const { providers, logger } = this.#deps;
    const provider = providers.all.find(({ id }) => id === row.provider);
    if (!provider) return null;
    try {
      return await provider.use(async ({ client, config }) => {
        if (!config.serverMetadata().end_session_endpoint) return null;
        const hint = this.#tokenOf(row);
        return client.buildEndSessionUrl(config, {
          post_logout_redirect_uri: new URL('sign-in', publicUrl).href,
          ...(hint !== undefined && { id_token_hint: hint }),
        }).href;
      });
    } catch (error) {
      logger.warn({ err: error, provider: row.provider }, 'The provider was not told of a sign-out.');
      return null;
    }
  }

  /** `undefined` once `SECRET_KEY` was changed. */
  #tokenOf({ id, id_token }: SessionRow): string | undefined {
    try {
      return this.#deps.vault.open(PURPOSE, id, id_token);
    } catch {
      return undefined;
    }
  }
}

export const PROVIDER_SESSIONS = token<ProviderSessions>('oidc:provider-sessions');
