import { useAccount } from '../../../account/signed-in.tsx';
import type { Algorithm } from '../../../api/queries.ts';
import { useIsOn } from '../../../pages/page-list.ts';
import { AccessOfOne } from './access-of-one.tsx';
import { AlgorithmGrants } from './algorithm-grants.tsx';
import { Visibility } from './visibility.tsx';

/** Who sees an algorithm, who may call and manage it, and why. */
export function AccessTab({ algorithm }: { readonly algorithm: Algorithm }) {
  const isOn = useIsOn();
  const me = useAccount();
  const isAdmin = me?.role === 'admin';
  return (
    <>
      <div className={isAdmin ? 'columns' : undefined}>
        <Visibility algorithm={algorithm} />
        {isAdmin && <AccessOfOne algorithm={algorithm} />}
      </div>
      {isOn('permissions') && <AlgorithmGrants algorithm={algorithm} isAdmin={isAdmin} />}
    </>
  );
}
