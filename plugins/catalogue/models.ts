import { Model, type Transaction } from '../../core/index.ts';
import type { AlgorithmAccess, AlgorithmStatus, ParameterSpec } from './contract.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export class AlgorithmRow extends Model {
  static override tableName = 'catalogue_algorithms';

  declare id: string;
  declare name: string;
  declare description: string;
  declare type: string;
  declare status: AlgorithmStatus;
  declare access: AlgorithmAccess;
  /** A column here and not a flag on each version, so that there is never more than one default. */
  declare default_version_id: string | null;
  /** Name and description, folded for searching and for sorting by name. */
  declare search_text: string;
  declare created_at: string;
  declare updated_at: string;

  /** Reads an algorithm and locks its row until the transaction ends, which serialises its changes. */
  static async locked(id: string, trx: Transaction): Promise<AlgorithmRow | undefined> {
    return await AlgorithmRow.query(trx).findById(id).forUpdate();
  }
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
