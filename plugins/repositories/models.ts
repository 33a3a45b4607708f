import { Model } from '../../core/index.ts';
import type { RepositoryStatus } from './contract.ts';

export class RepositoryRow extends Model {
  static override tableName = 'repositories_repositories';

  declare id: string;
  declare name: string;
  declare description: string;
  declare type: string;
  declare repo_url: string;
  declare branch: string;
  declare local_path: string;
  declare algorithm_id: string | null;
  declare status: RepositoryStatus;
  /** The code host, its server, the name and the identity there; null for an entry that was never hosted. */
  declare host: string | null;
  declare host_server: string | null;
  declare host_full_name: string | null;
  declare host_identity: string | null;
  /** Name and description, folded for searching by the same rules on every engine. */
  declare search_text: string;
  declare created_at: string;
  declare updated_at: string;
}
