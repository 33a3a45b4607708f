import { Model } from '../../core/index.ts';

/** A link between a person at a provider and an account. */
export class LinkRow extends Model {
  static override tableName = 'oidc_links';
  static override booleans = ['gave_admin'];

  declare id: string;
  /** The id in the settings when it was made. */
  declare provider: string;
  declare issuer: string;
  declare subject: string;
  declare user_id: string;
  /** As the provider said when it was made; whether it is verified is not kept. */
  declare email: string | null;
  /** Whether the account is an administrator because the provider says so. */
  declare gave_admin: boolean;
  declare created_at: string;
}

/** A session that was opened by a provider, which is told when it ends. */
export class SessionRow extends Model {
  static override tableName = 'oidc_sessions';

  /** The id of the session. */
  declare id: string;
  declare user_id: string;
  declare provider: string;
  /** Sealed. */
  declare id_token: string;
  declare expires_at: string;
}
