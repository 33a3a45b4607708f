import type { Session, SessionList } from '../api/queries.ts';
import { Moment } from '../parts/moment.tsx';
import { showAgo, text } from '../texts/text.ts';
import { EntryItem } from './entry-item.tsx';
import { clientIn } from './user-agent.ts';

/** Sessions of an account, each with the way to end it. */
export function SessionItems(props: {
  readonly list: SessionList;
  readonly end: (session: Session) => Promise<unknown>;
}) {
  const { sessions, total } = props.list;
  return (
    <ul>
      {sessions.map((session) => (
        <One key={session.id} session={session} end={props.end} />
      ))}
      {total > sessions.length && (
        <li className="quiet">{text.account.moreSessions(total - sessions.length)}</li>
      )}
    </ul>
  );
}

function One(props: { readonly session: Session; readonly end: (session: Session) => Promise<unknown> }) {
  const { session, end } = props;
  const client = showClient(session.user_agent);
  const { via, current, address, created_at, last_used_at } = session;
  return (
    <EntryItem
      icon={via === 'token' ? 'key' : 'user'}
      title={
        <>
          <strong title={session.user_agent ?? undefined}>{client}</strong>
          {current && <span className="badge good">{text.account.thisSession}</span>}
          {via === 'token' && <span className="badge">{text.account.byToken}</span>}
        </>
      }
      facts={
        <>
          <span>{address}</span>
          <Moment iso={created_at} show={(iso) => text.account.opened(showAgo(iso))} />
          {last_used_at && <Moment iso={last_used_at} show={(iso) => text.account.used(showAgo(iso))} />}
        </>
      }
      {...(!current && {
        end: { label: text.account.end, name: text.account.endOf(client), run: () => end(session) },
      })}
    />
  );
}

function showClient(userAgent: string | null): string {
  const { program, system } = clientIn(userAgent ?? '');
  if (program === undefined) return text.account.unknownClient;
  return system === undefined ? program : text.account.browserOn(program, system);
}
