import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { User } from '../../api/queries.ts';
import { Fault } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';
import { KeyTable } from '../keys/key-table.tsx';
import { PartPager } from '../part-pager.tsx';
import { keysOfQuery, partOf } from '../queries.ts';

/** The active API keys of an account. */
export function UserKeys({ user }: { readonly user: User }) {
  const words = adminText.keys;
  const [page, setPage] = useState(1);
  const found = useQuery(keysOfQuery({ user_id: user.id, ...partOf(page) }));
  const { data, error, refetch } = found;
  return (
    <section className="stack tight" aria-labelledby="user-keys">
      <div className="row between">
        <h2 id="user-keys">{text.keys.title}</h2>
        <Link to="/administration/keys" search={{ owner: user.id, status: 'all' }} className="small">
          {words.withEnded}
        </Link>
      </div>
      {error && <Fault error={error} retry={() => void refetch()} />}
      {data?.total === 0 && <p className="quiet">{words.none}</p>}
      {!error && data?.total !== 0 && <KeyTable keys={data?.rows} />}
      <PartPager found={found} page={page} go={setPage} />
    </section>
  );
}
