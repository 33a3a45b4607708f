import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { User } from '../../api/queries.ts';
import { NumberedPager } from '../../parts/numbered-pager.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';
import { KeyTable } from '../keys/key-table.tsx';
import { keysOfQuery, PAGE_SIZE, partOf } from '../queries.ts';

/** The active API keys of an account. */
export function UserKeys({ user }: { readonly user: User }) {
  const words = adminText.keys;
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(keysOfQuery({ user_id: user.id, ...partOf(page) }));
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
      {data && (
        <NumberedPager page={page} pages={Math.ceil(data.total / PAGE_SIZE)} go={(to = 1) => setPage(to)} />
      )}
    </section>
  );
}
