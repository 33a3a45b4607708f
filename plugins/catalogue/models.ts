import { Model, type Transaction } from '../../core/index.ts';
import type { AlgorithmAccess, AlgorithmStatus, ParameterSpec, Tolerance } from './contract.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export class AlgorithmRow extends Model {
  static override tableName = 'catalogue_algorithms';
  static override json = ['tags'];

  declare id: string;
  declare name: string;
  declare description: string;
  declare type: string;
  declare status: AlgorithmStatus;
  declare access: AlgorithmAccess;
  /** A column here and not a flag on each version, so that there is never more than one default. */
  declare default_version_id: string | null;
  declare tags: readonly string[];
  /** Name, description and tags, folded for searching. */
  declare search_text: string;
  /** The beginning of the folded name, for sorting. */
  declare name_key: string;
  declare created_at: string;
  declare updated_at: string;

  /** Reads an algorithm and locks its row until the transaction ends, which serialises its changes. */
  static async locked(id: string, trx: Transaction): Promise<AlgorithmRow | undefined> {
    return await AlgorithmRow.query(trx).findById(id).forUpdate();
  }
}

/** The readme of an algorithm; those without one have no row. */
export class ReadmeRow extends Model {
  static override tableName = 'catalogue_readmes';
  static override idColumn = 'algorithm_id';

  declare algorithm_id: string;
  declare readme: string;

  static async of(algorithmId: string, trx: Transaction): Promise<string> {
    return (await ReadmeRow.query(trx).findById(algorithmId))?.readme ?? '';
  }

  static async store(algorithm_id: string, readme: string, trx: Transaction): Promise<void> {
    await ReadmeRow.query(trx).deleteById(algorithm_id);
    if (readme !== '') await ReadmeRow.query(trx).insert({ algorithm_id, readme });
  }
}

/** A tag of an algorithm, for the list by tags. */
export class TagRow extends Model {
  static override tableName = 'catalogue_tags';
  static override idColumn = ['algorithm_id', 'tag_key'];

  declare algorithm_id: string;
  /** The folded tag, by which tags are equal. */
  declare tag_key: string;
  declare tag: string;

  /** Replaces the tags by which an algorithm is listed. */
  static async store(
    algorithm_id: string,
    tags: readonly Pick<TagRow, 'tag' | 'tag_key'>[],
    trx: Transaction,
  ): Promise<void> {
    await TagRow.query(trx).delete().where({ algorithm_id });
    for (const { tag, tag_key } of tags) await TagRow.query(trx).insert({ algorithm_id, tag_key, tag });
  }
}

export class ExampleRow extends Model {
  static override tableName = 'catalogue_examples';
  static override booleans = ['is_default'];
  static override json = ['input_data', 'params', 'output_data', 'tolerance'];

  declare id: string;
  declare algorithm_id: string;
  declare version_id: string;
  declare name: string;
  declare description: string;
  declare input_data: JsonObject;
  declare params: JsonObject;
  declare output_data: JsonObject | null;
  /** How far numbers may be from those of `output_data`; null: they are equal. */
  declare tolerance: Tolerance | null;
  declare is_default: boolean;
  /** Why the version does not accept it; null when it does. */
  declare misfit: string | null;
  declare created_at: string;
  declare updated_at: string;
}

export class VersionRow extends Model {
  static override tableName = 'catalogue_versions';
  static override json = ['params', 'input_schema', 'output_schema'];

  declare id: string;
  declare algorithm_id: string;
  declare version: string;
  /** The folded label, by which labels are unique. */
  declare version_key: string;
  declare url: string;
  declare params: Readonly<Record<string, ParameterSpec>> | null;
  declare input_schema: JsonObject | null;
  declare output_schema: JsonObject | null;
  declare schema_too_costly_since: string | null;
  declare schema_paused_until: string | null;
  declare created_at: string;
  declare updated_at: string;
}

/** The import that runs now, if any: there is never more than one row. */
export class ImportLockRow extends Model {
  static override tableName = 'catalogue_import_lock';

  declare id: string;
  declare holder: string;
  /** The row has no effect from this time on. */
  declare lease_until: string;
}
