import { Model } from 'vitrine';

export class BookmarkRow extends Model {
  static override tableName = 'my_plugin_bookmarks';
  static override idColumn = ['user_id', 'algorithm_id'];
  declare user_id: string;
  declare algorithm_id: string;
  declare note: string;
  declare created_at: string;
}

/** An account that has or had bookmarks. Its row is what changes of these lock. */
export class OwnerRow extends Model {
  static override tableName = 'my_plugin_owners';
  static override idColumn = 'user_id';
  declare user_id: string;
}
