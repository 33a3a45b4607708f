import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { User } from '../../api/queries.ts';
import { Fault } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';
import { KeyTable } from '../keys/key-table.tsx';
import { keysOfQuery } from '../queries.ts';

/** The active API keys of an account. */
export function UserKeys({ user }: { readonly user: User }) {
  const words = adminText.keys;
  const { data, error, refetch } = useQuery(keysOfQuery({ user_id: user.id, limit: 100 }));
  return (
    <section className="stack tight" aria-labelledby="user-keys">
      <div className="row between">
        <h2 id="user-keys">{text.keys.title}</h2>
        <Link to="/administration/keys" search={{ owner: user.id, status: 'all' }} className="small">
          {words.withEnded}
        </Link>
      </div>
      {error && <Fault error={error} retry={() => void refetch()} />}
      {data?.rows.length === 0 && <p className="quiet">{words.none}</p>}
      {!error && data?.rows.length !== 0 && <KeyTable keys={data?.rows} />}
    </section>
  );
}
