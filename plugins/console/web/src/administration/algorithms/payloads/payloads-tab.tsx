import { queryOptions, useQuery } from '@tanstack/react-query';
import { useAccount } from '../../../account/signed-in.tsx';
import { api, dataOf } from '../../../api/client.ts';
import type { Algorithm } from '../../../api/queries.ts';
import { Fault, Skeleton } from '../../../parts/states.tsx';
import { adminText, showMoment } from '../../../texts/text.ts';
import { useUserNames } from '../../user-names.ts';
import { HowLong } from './how-long.tsx';
import type { Policy } from './kept.ts';
import { PolicyForm } from './policy-form.tsx';

const policyQuery = (algorithm_id: string) =>
  queryOptions({
    queryKey: ['administration', 'payload-policy', algorithm_id],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/algorithms/{algorithm_id}/payload-policy', { params: { path: { algorithm_id } }, signal }),
      ),
  });

/** What the records of an algorithm keep of what its callers send and get. */
export function PayloadsTab({ algorithm }: { readonly algorithm: Algorithm }) {
  const me = useAccount();
  const { data, error, refetch } = useQuery(policyQuery(algorithm.id));
  if (error && !data) return <Fault error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton style={{ height: 420, borderRadius: 14 }} />;
  return (
    <>
      <p className="quiet">{adminText.payloads.intro}</p>
      {data.updated_at && <ChangedBy policy={data} isAdmin={me?.role === 'admin'} />}
      <PolicyForm algorithm={algorithm} policy={data} />
      {me?.role === 'admin' && <HowLong />}
    </>
  );
}

function ChangedBy({ policy, isAdmin }: { readonly policy: Policy; readonly isAdmin: boolean }) {
  const { updated_at, updated_by } = policy;
  const names = useUserNames(isAdmin && updated_by ? [updated_by] : []);
  return (
    <p className="small quiet">
      {adminText.payloads.changed(
        showMoment(updated_at!),
        updated_by && (names.get(updated_by) ?? updated_by),
      )}
    </p>
  );
}
