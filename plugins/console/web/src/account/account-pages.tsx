import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { api, ApiError, dataOf } from '../api/client.ts';
import { meQuery, registrationQuery, type User } from '../api/queries.ts';
import { entered } from '../parts/plain-text.ts';
import { Fault, ProblemFacts } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { showDate, text } from '../texts/text.ts';
import { CredentialsForm, TextField } from './credentials-form.tsx';
import { SignedIn } from './signed-in.tsx';

export function SignInPage() {
  useTitle(text.account.signInTitle);
  const { next } = useSearch({ from: '/sign-in' });
  const goOn = useGoOn(next);
  return (
    <section className="card narrow">
      <div className="body stack">
        <h1>{text.account.signInTitle}</h1>
        <CredentialsForm isNew={false} done={goOn} />
        <p className="quiet">
          {text.account.noAccount}{' '}
          <Link to="/register" search={{ next }}>
            {text.nav.register}
          </Link>
        </p>
      </div>
    </section>
  );
}

export function RegisterPage() {
  const { next } = useSearch({ from: '/register' });
  const goOn = useGoOn(next);
  const { data } = useQuery(registrationQuery);
  const isFirst = data?.makes_administrator === true;
  const title = isFirst ? text.account.setupTitle : text.account.registerTitle;
  useTitle(title);
  return (
    <section className="card narrow">
      <div className="body stack">
        <h1>{title}</h1>
        {isFirst && <p className="quiet">{text.account.setup}</p>}
        <CredentialsForm isNew done={goOn} />
        <p className="quiet">
          {text.account.haveAccount}{' '}
          <Link to="/sign-in" search={{ next }}>
            {text.nav.signIn}
          </Link>
        </p>
      </div>
    </section>
  );
}

function useGoOn(next: string | undefined): () => void {
  const router = useRouter();
  const navigate = useNavigate();
  return () => {
    if (next) router.history.push(next);
    else void navigate({ to: '/' });
  };
}

export function AccountPage() {
  useTitle(text.nav.account);
  return <SignedIn>{(me) => <Account me={me} />}</SignedIn>;
}

function Account({ me }: { readonly me: User }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: { old_password: string; new_password: string }) =>
      dataOf(api.POST('/users/me/password', { body: { ...body, revoke_api_keys: false } })),
    // Every session of the account has ended, this one as well.
    onSuccess: () => queries.setQueryData(meQuery.queryKey, null),
  });
  return (
    <>
      <h1>{text.nav.account}</h1>
      <section className="card">
        <div className="body">
          <dl className="facts">
            <dt>{text.account.username}</dt>
            <dd>{me.username}</dd>
            <dt>{text.account.email}</dt>
            <dd>{me.email}</dd>
            <dt>{text.account.role}</dt>
            <dd>{me.role}</dd>
            <dt>{text.account.since}</dt>
            <dd>{showDate(me.created_at)}</dd>
          </dl>
        </div>
      </section>
      <section className="card narrow-left">
        <header>
          <h2>{text.account.changePassword}</h2>
        </header>
        <form
          className="body stack"
          onSubmit={(event) => {
            event.preventDefault();
            const form = new FormData(event.currentTarget);
            change.mutate({
              old_password: entered(form, 'old'),
              new_password: entered(form, 'new'),
            });
          }}
        >
          <TextField
            label={text.account.oldPassword}
            name="old"
            type="password"
            autoComplete="current-password"
          />
          <TextField
            label={text.account.newPassword}
            name="new"
            type="password"
            autoComplete="new-password"
            hint={text.account.passwordHint}
          />
          {change.error instanceof ApiError ? (
            <div className="notice bad" role="alert">
              <p>{change.error.message}</p>
              <ProblemFacts error={change.error} />
            </div>
          ) : (
            change.error && <Fault error={change.error} />
          )}
          <div>
            <button type="submit" className="button primary" disabled={change.isPending}>
              {text.account.changePassword}
            </button>
          </div>
        </form>
      </section>
    </>
  );
}
