import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { User } from '../../api/queries.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { Fault, Skeleton } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, showMoment, text } from '../../texts/text.ts';
import { useIsOn } from '../../pages/page-list.ts';
import { userQuery } from '../queries.ts';
import { ChangeUser } from './change-user.tsx';
import { DeletedUser, DeleteUser } from './delete-user.tsx';
import { PasswordLink } from './password-link.tsx';
import { UserGroups } from './user-groups.tsx';
import { UserKeys } from './user-keys.tsx';
import { UserSessions } from './user-sessions.tsx';

/** One account, with what belongs to it. */
export function UserPage() {
  const { userId } = useParams({ from: '/administration/users/$userId' });
  const { data: user, error, refetch } = useQuery(userQuery(userId));
  useTitle(user?.username ?? text.sections.users);
  // What was entered stays, and a link that is shown once, where the account cannot be asked for anew.
  if (error && !user) return <Fault error={error} retry={() => void refetch()} />;
  return (
    <>
      <div className="page-head">
        <p className="crumbs">
          <Link to="/administration/users">← {text.sections.users}</Link>
        </p>
        {user ? (
          <div className="row">
            <h1>{user.username}</h1>
            <StatusBadge status={user.status} />
            {user.role === 'admin' && <span className="badge">{text.account.roles.admin}</span>}
          </div>
        ) : (
          <Skeleton style={{ height: 34, width: 220 }} />
        )}
      </div>
      {user ? <Account key={user.id} user={user} /> : <Skeleton style={{ height: 420, borderRadius: 14 }} />}
    </>
  );
}

function Account({ user }: { readonly user: User }) {
  const isOn = useIsOn();
  if (user.status === 'deleted') {
    return (
      <>
        <Facts user={user} />
        <DeletedUser user={user} />
      </>
    );
  }
  return (
    <>
      <Facts user={user} />
      <div className="columns">
        <div className="stack">
          <ChangeUser user={user} />
          <PasswordLink user={user} />
        </div>
        <div className="stack">
          <UserSessions user={user} />
          {isOn('groups') && <UserGroups user={user} />}
        </div>
      </div>
      {isOn('api-keys') && <UserKeys user={user} />}
      <DeleteUser user={user} />
    </>
  );
}

function Facts({ user }: { readonly user: User }) {
  const isOn = useIsOn();
  const words = adminText.users;
  return (
    <section className="card">
      <div className="body stack">
        <dl className="facts">
          <dt>{text.account.email}</dt>
          <dd>{user.email || '–'}</dd>
          <dt>{text.algorithm.id}</dt>
          <dd className="mono">{user.id}</dd>
          <dt>{text.account.since}</dt>
          <dd>{showMoment(user.created_at)}</dd>
          <dt>{text.algorithm.updated}</dt>
          <dd>{showMoment(user.updated_at)}</dd>
        </dl>
        <p className="row small">
          {isOn('audit') && (
            <>
              <Link to="/administration/audit" search={{ actor: user.id }}>
                {words.did}
              </Link>
              <Link to="/administration/audit" search={{ target: user.id }}>
                {words.undergone}
              </Link>
            </>
          )}
          {isOn('gateway') && user.status !== 'deleted' && (
            <Link to="/administration/gateway/check" search={{ user: user.id }}>
              {adminText.gateway.tabs.check}
            </Link>
          )}
        </p>
      </div>
    </section>
  );
}
