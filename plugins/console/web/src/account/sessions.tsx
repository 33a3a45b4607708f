import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { sessionsQuery, type Session } from '../api/queries.ts';
import { forgetAccount } from '../api/session.ts';
import { Confirmation } from '../parts/confirmation.tsx';
import { Fault, Skeleton } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { SessionItems } from './session-items.tsx';

/** Where the account is signed in, and the way to end what should not be. */
export function Sessions() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const end = ({ id: session_id }: Session) =>
    dataOf(api.DELETE('/users/me/sessions/{session_id}', { params: { path: { session_id } } })).finally(() =>
      queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
    );
  return (
    <section className="card sessions">
      <header>
        <div>
          <h2>{text.account.sessions}</h2>
          <p className="small quiet">{text.account.sessionsHint}</p>
        </div>
        <button type="button" className="button small danger" onClick={() => setAsking(true)}>
          {text.account.endAll}
        </button>
      </header>
      {error && <Fault error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton style={{ height: 148, margin: 18 }} />}
      {data && <SessionItems list={data} end={end} />}
      {isAsking && <Everywhere close={() => setAsking(false)} />}
    </section>
  );
}

function Everywhere({ close }: { readonly close: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    await navigate({ to: '/sign-in', search: { next: '/account' } });
    forgetAccount(queries);
  };
  return (
    <Confirmation
      title={text.account.endAllTitle}
      action={text.account.endAll}
      run={() => dataOf(api.DELETE('/users/me/sessions'))}
      done={leave}
      close={close}
    >
      <p>{text.account.endAllText}</p>
    </Confirmation>
  );
}
