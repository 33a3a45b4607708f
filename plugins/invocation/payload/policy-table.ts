import type { Database, Transaction } from '../../../core/index.ts';
import type { PayloadPolicy, PayloadRule } from '../contract.ts';

/** Topic of `Invalidation` on which the id of an algorithm is published whose payload policy changed. */
export const PAYLOAD_POLICY_CHANGED_TOPIC = 'invocation:payload-policy';

const TABLE = 'invocation_payload_policies';
const everything: PayloadRule = { mode: 'store', pointers: [] };

/** The policy of an algorithm for which none is stored. */
export const DEFAULT_POLICY: PayloadPolicy = {
  input_data: everything,
  params: everything,
  output_data: everything,
};

/** A policy, who set it, and when. */
export interface StoredPolicy {
  readonly policy: PayloadPolicy;
  readonly updated_by: string;
  readonly updated_at: string;
}

interface PolicyRow {
  readonly policy: string;
  readonly updated_by: string;
  readonly updated_at: string;
}

/** Prepares the read of what is stored for an algorithm. */
export function policyReader(database: Database): (algorithmId: string) => Promise<StoredPolicy | undefined> {
  const statement = database.read<PolicyRow>(
    `SELECT policy, updated_by, updated_at FROM ${TABLE} WHERE algorithm_id = ?`,
  );
  return async (algorithmId) => {
    const row = await statement.first(algorithmId);
    return row && { ...row, policy: JSON.parse(row.policy) as PayloadPolicy };
  };
}

/** Changes some rules in the policy of an algorithm; changes of one algorithm take turns, the first ones too. */
export async function changePolicy(
  trx: Transaction,
  algorithmId: string,
  by: Omit<StoredPolicy, 'policy'>,
  rules: Partial<PayloadPolicy>,
): Promise<PayloadPolicy> {
  const first = { algorithm_id: algorithmId, policy: JSON.stringify(DEFAULT_POLICY), ...by };
  await trx(TABLE).insert(first).onConflict('algorithm_id').ignore();
  const row = trx<PolicyRow & { algorithm_id: string }>(TABLE).where({ algorithm_id: algorithmId });
  const held = await row.clone().forUpdate().first('policy');
  const policy = { ...(JSON.parse(held!.policy) as PayloadPolicy), ...rules };
  await row.clone().update({ ...by, policy: JSON.stringify(policy) });
  return policy;
}

/** Whether there was one. */
export async function deletePolicy(trx: Transaction, algorithmId: string): Promise<boolean> {
  return (await trx(TABLE).where({ algorithm_id: algorithmId }).delete()) > 0;
}
