import { Model } from '../../core/index.ts';

/** The one row of the configuration. */
export class ConfigurationRow extends Model {
  static override tableName = 'repohost_configurations';

  declare id: string;
  declare server_url: string;
  /** Sealed; empty when none is set. */
  declare access_token: string;
  declare default_owner: string;
  declare repo_prefix: string;
  declare updated_at: string;
}
