import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SessionItems } from '../../account/session-items.tsx';
import { api, dataOf } from '../../api/client.ts';
import type { Session, User } from '../../api/queries.ts';
import { Confirmation } from '../../parts/confirmation.tsx';
import { Fault, Skeleton } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';
import { userSessionsQuery } from '../queries.ts';

/** Where an account is signed in, and the way to end it. */
export function UserSessions({ user }: { readonly user: User }) {
  const words = adminText.users;
  const { data, error, refetch } = useQuery(userSessionsQuery(user.id));
  const [isAsking, setAsking] = useState(false);
  const end = ({ id }: Session) =>
    dataOf(
      api.DELETE('/users/{user_id}/sessions/{session_id}', {
        params: { path: { user_id: user.id, session_id: id } },
      }),
    );
  return (
    <section className="card sessions">
      <header>
        <h2>{words.sessions}</h2>
        {data && data.total > 0 && (
          <button type="button" className="button small danger" onClick={() => setAsking(true)}>
            {text.account.endAll}
          </button>
        )}
      </header>
      {error && <Fault error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton style={{ height: 74, margin: 18 }} />}
      {data?.total === 0 && <p className="body quiet">{words.noSessions}</p>}
      {data && data.total > 0 && <SessionItems list={data} end={end} />}
      {isAsking && <Everywhere user={user} close={() => setAsking(false)} />}
    </section>
  );
}

function Everywhere({ user, close }: { readonly user: User; readonly close: () => void }) {
  const words = adminText.users;
  const path = { user_id: user.id };
  return (
    <Confirmation
      title={words.endAllTitle(user.username)}
      action={text.account.endAll}
      run={() => dataOf(api.DELETE('/users/{user_id}/sessions', { params: { path } }))}
      close={close}
    >
      <p>{words.endAllText}</p>
    </Confirmation>
  );
}
