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
  /** One column, and not a mark on each version: so there can never be two defaults. */
  declare default_version_id: string | null;
  /** Name and description in lower case: what a search looks through, and what sorting by name follows. */
  declare search_text: string;
  declare created_at: string;
  declare updated_at: string;

  /** Reads an algorithm and holds its row until the transaction ends: changes of one algorithm take turns. */
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
  declare url: string;
  declare params: Readonly<Record<string, ParameterSpec>> | null;
  declare input_schema: JsonObject | null;
  declare output_schema: JsonObject | null;
  declare schema_too_costly_since: string | null;
  declare created_at: string;
  declare updated_at: string;
}
