import { isDeepStrictEqual } from 'node:util';
import type { Database, Transaction } from '../../../core/index.ts';
import type { PayloadPolicy, PayloadRule } from '../contract.ts';

/** The `Invalidation` topic with the id of the algorithm whose payload policy changed. */
export const PAYLOAD_POLICY_CHANGED_TOPIC = 'invocation:payload-policy';

const TABLE = 'invocation_payload_policies';
const everything: PayloadRule = { mode: 'store', pointers: [] };

/** The policy of algorithms without a stored one. */
export const DEFAULT_POLICY: PayloadPolicy = {
  input_data: everything,
  params: everything,
  output_data: everything,
};

/** A policy with who set it and when. */
export interface StoredPolicy {
  readonly policy: PayloadPolicy;
  /** A user; null for a command, and for the default policy. */
  readonly updated_by: string | null;
  /** Null for the default policy. */
  readonly updated_at: string | null;
}

interface PolicyRow {
  readonly policy: string;
  readonly updated_by: string | null;
  readonly updated_at: string;
}

/** Prepares the read of the stored policy of an algorithm. */
export function policyReader(database: Database): (algorithmId: string) => Promise<StoredPolicy | undefined> {
  const statement = database.read<PolicyRow>(
    `SELECT policy, updated_by, updated_at FROM ${TABLE} WHERE algorithm_id = ?`,
  );
  return async (algorithmId) => {
    const row = await statement.first(algorithmId);
    return row && { ...row, policy: JSON.parse(row.policy) as PayloadPolicy };
  };
}

/** The stored policies that differ from the default one, by the ids of their algorithms. */
export async function allPolicies({ knex }: Database): Promise<ReadonlyMap<string, PayloadPolicy>> {
  const rows = await knex<{ algorithm_id: string; policy: string }>(TABLE).select('algorithm_id', 'policy');
  const policies = rows.map((row) => [row.algorithm_id, JSON.parse(row.policy) as PayloadPolicy] as const);
  return new Map(policies.filter(([, policy]) => !isDeepStrictEqual(policy, DEFAULT_POLICY)));
}

/** A policy after a change, and the rules before it. */
export interface ChangedPolicy extends StoredPolicy {
  readonly before: PayloadPolicy;
}

/**
 * Changes rules in the policy of an algorithm, if they differ, and returns the policy as it is then. A lock on the row
 * serialises changes, also of a new policy.
 */
export async function changePolicy(
  trx: Transaction,
  algorithmId: string,
  by: Omit<PolicyRow, 'policy'>,
  rules: Partial<PayloadPolicy>,
): Promise<ChangedPolicy> {
  const row = trx<PolicyRow & { algorithm_id: string }>(TABLE).where({ algorithm_id: algorithmId });
  const find = () => row.clone().forUpdate().first('policy', 'updated_by', 'updated_at');
  let stored = await find();
  if (!stored) {
    const [before, policy] = [DEFAULT_POLICY, { ...DEFAULT_POLICY, ...rules }];
    if (isDeepStrictEqual(policy, before)) return { policy, before, updated_by: null, updated_at: null };
    const first = { algorithm_id: algorithmId, policy: JSON.stringify(DEFAULT_POLICY), ...by };
    await trx(TABLE).insert(first).onConflict('algorithm_id').ignore();
    stored = (await find())!;
  }
  const before = JSON.parse(stored.policy) as PayloadPolicy;
  const policy = { ...before, ...rules };
  if (isDeepStrictEqual(policy, before)) return { ...stored, policy, before };
  await row.clone().update({ ...by, policy: JSON.stringify(policy) });
  return { ...by, policy, before };
}

/** Returns the policy that the algorithm had. */
export async function deletePolicy(
  trx: Transaction,
  algorithmId: string,
): Promise<PayloadPolicy | undefined> {
  const row = trx<PolicyRow & { algorithm_id: string }>(TABLE).where({ algorithm_id: algorithmId });
  const stored = await row.clone().forUpdate().first('policy');
  await row.clone().delete();
  return stored && (JSON.parse(stored.policy) as PayloadPolicy);
}
