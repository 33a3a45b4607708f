import { Model } from '../../core/index.ts';
import type { CheckState } from '../catalogue/contract.ts';

/** What the checks of a version say. */
export class StateRow extends Model {
  static override tableName = 'checks_states';
  static override idColumn = 'version_id';
  static override booleans = ['is_reported'];

  declare version_id: string;
  declare algorithm_id: string;
  declare state: CheckState;
  /** Null while the version is unchecked. */
  declare since: string | null;
  declare checked_at: string;
  /** The `revision` of the version that was checked. */
  declare revision: string;
  /** Checks in a row that failed. */
  declare failed_runs: number;
  /** Whether these were told as an event. */
  declare is_reported: boolean;
}

/** One check of a version. */
export class RunRow extends Model {
  static override tableName = 'checks_runs';
  static override booleans = ['passed'];
  static override json = ['examples'];

  declare id: string;
  declare version_id: string;
  declare algorithm_id: string;
  declare passed: boolean;
  /** The account that asked for it; null for the schedule. */
  declare asked_by: string | null;
  declare started_at: string;
  declare seconds: number;
  /** An `ExampleResult` each. */
  declare examples: readonly object[];
}
