import { Model } from 'vitrine';

export class BookmarkRow extends Model {
  static override tableName = 'my_plugin_bookmarks';
  static override idColumn = ['user_id', 'algorithm_id'];
  declare user_id: string;
  declare algorithm_id: string;
  declare note: string;
  declare created_at: string;
}
