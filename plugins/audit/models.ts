import { Model } from '../../core/index.ts';

/** An entry of the audit trail. */
export class EntryRow extends Model {
  static override tableName = 'audit_entries';
  static override json = ['before', 'after'];

  /** Ordered by time. */
  declare id: string;
  declare created_at: string;
  declare action: string;
  declare outcome: 'success' | 'failure';
  declare actor_kind: 'user' | 'key' | 'command' | 'plugin' | 'anonymous';
  /** The account. */
  declare actor_id: string | null;
  declare actor_name: string | null;
  declare credential_id: string | null;
  declare target_kind: string | null;
  declare target_id: string | null;
  declare target_name: string | null;
  declare before: Readonly<Record<string, unknown>> | null;
  declare after: Readonly<Record<string, unknown>> | null;
  declare address: string | null;
  declare request_id: string | null;
  /** How often it was repeated within a minute; more than 1 for failures only. */
  declare count: number;
  /** What repeated failures of one minute have in common; null for what is never combined. */
  declare repeat_key: string | null;
}
