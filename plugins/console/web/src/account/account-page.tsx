import type { User } from '../api/queries.ts';
import { useTitle } from '../parts/title.ts';
import { showDate, text } from '../texts/text.ts';
import { ChangePassword } from './change-password.tsx';
import { Sessions } from './sessions.tsx';
import { SignInLinks } from './sign-in-links.tsx';
import { SignedIn } from './signed-in.tsx';

export function AccountPage() {
  useTitle(text.nav.account);
  return (
    <>
      <h1>{text.nav.account}</h1>
      <SignedIn>
        {(me) => (
          <div className="account">
            <Profile me={me} />
            <ChangePassword />
            <Sessions />
            <SignInLinks />
          </div>
        )}
      </SignedIn>
    </>
  );
}

function Profile({ me }: { readonly me: User }) {
  return (
    <section className="card">
      <div className="body profile">
        <span className="initial" aria-hidden="true">
          {[...me.username][0]?.toUpperCase()}
        </span>
        <div className="profile-name">
          <h2>{me.username}</h2>
          <p className="quiet">{me.email}</p>
        </div>
        <dl className="facts">
          <dt>{text.account.role}</dt>
          <dd>{text.account.roles[me.role]}</dd>
          <dt>{text.account.since}</dt>
          <dd>{showDate(me.created_at)}</dd>
        </dl>
      </div>
    </section>
  );
}
