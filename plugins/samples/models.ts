import { Model } from '../../core/index.ts';

/** A sample that is or was put into the catalogue; it is not put there again. */
export class SeedingRow extends Model {
  static override tableName = 'samples_seedings';
  static override idColumn = 'name';

  declare name: string;
  /** When an instance set about it. */
  declare claimed_at: string;
  declare seeded_at: string | null;
  /** Its entry in the catalogue, which may be without its version still. */
  declare algorithm_id: string | null;
}
