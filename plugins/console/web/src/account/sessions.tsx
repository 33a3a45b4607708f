import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { sessionsQuery, type Session } from '../api/queries.ts';
import { forgetAccount } from '../api/session.ts';
import { Confirmation } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Fault, Skeleton } from '../parts/states.tsx';
import { Moment } from '../parts/moment.tsx';
import { showAgo, text } from '../texts/text.ts';
import { clientIn } from './user-agent.ts';

/** Where the account is signed in, and the way to end what should not be. */
export function Sessions() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const [isAsking, setAsking] = useState(false);
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
      {data && (
        <ul>
          {data.sessions.map((session) => (
            <One key={session.id} session={session} />
          ))}
          {data.total > data.sessions.length && (
            <li className="quiet">{text.account.moreSessions(data.total - data.sessions.length)}</li>
          )}
        </ul>
      )}
      {isAsking && <Everywhere close={() => setAsking(false)} />}
    </section>
  );
}

function One({ session }: { readonly session: Session }) {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () =>
      dataOf(api.DELETE('/users/me/sessions/{session_id}', { params: { path: { session_id: session.id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const client = showClient(session.user_agent);
  const { via, current, address, created_at, last_used_at } = session;
  return (
    <li>
      <Icon name={via === 'token' ? 'key' : 'user'} />
      <div className="session">
        <p>
          <strong title={session.user_agent ?? undefined}>{client}</strong>
          {current && <span className="badge good">{text.account.thisSession}</span>}
          {via === 'token' && <span className="badge">{text.account.byToken}</span>}
        </p>
        <p className="small quiet">
          <span>{address}</span>
          <Moment iso={created_at} show={(iso) => text.account.opened(showAgo(iso))} />
          {last_used_at && <Moment iso={last_used_at} show={(iso) => text.account.used(showAgo(iso))} />}
        </p>
        {end.error && <Fault error={end.error} />}
      </div>
      {!current && (
        <button
          type="button"
          className="button small"
          aria-label={text.account.endOf(client)}
          disabled={end.isPending}
          onClick={() => end.mutate()}
        >
          {text.account.end}
        </button>
      )}
    </li>
  );
}

function showClient(userAgent: string | null): string {
  const { program, system } = clientIn(userAgent ?? '');
  if (program === undefined) return text.account.unknownClient;
  return system === undefined ? program : text.account.browserOn(program, system);
}

function Everywhere({ close }: { readonly close: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const end = useMutation({
    mutationFn: () => dataOf(api.DELETE('/users/me/sessions')),
    onSuccess: async () => {
      await navigate({ to: '/sign-in', search: { next: '/account' } });
      forgetAccount(queries);
    },
  });
  return (
    <Confirmation
      title={text.account.endAllTitle}
      action={text.account.endAll}
      isBusy={end.isPending}
      confirm={() => end.mutate()}
      close={close}
    >
      <p>{text.account.endAllText}</p>
      {end.error && <Fault error={end.error} />}
    </Confirmation>
  );
}
