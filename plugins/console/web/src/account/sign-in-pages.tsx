import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { meQuery, registrationQuery } from '../api/queries.ts';
import { offerExampleRuns } from '../examples/run-all.ts';
import { useTitle } from '../parts/title.ts';
import { text } from '../texts/text.ts';
import { CredentialsForm } from './credentials-form.tsx';
import { ForgottenPassword } from './forgotten-password.tsx';
import { Providers } from './providers.tsx';

export function SignInPage() {
  useTitle(text.account.signInTitle);
  const { next } = useSearch({ from: '/sign-in' });
  const goOn = useGoOn(next);
  const { data: registration } = useQuery(registrationQuery);
  return (
    <section className="card narrow">
      <div className="body stack">
        <h1>{text.account.signInTitle}</h1>
        <CredentialsForm isNew={false} done={goOn} />
        <ForgottenPassword />
        <Providers next={next} />
        <p className="quiet">
          {registration?.open === false ? text.account.closed : <ToRegister next={next} />}
        </p>
      </div>
    </section>
  );
}

function ToRegister({ next }: { readonly next: string | undefined }) {
  return (
    <>
      {text.account.noAccount}{' '}
      <Link to="/register" search={{ next }}>
        {text.nav.register}
      </Link>
    </>
  );
}

export function RegisterPage() {
  const { next } = useSearch({ from: '/register' });
  const goOn = useGoOn(next);
  const queries = useQueryClient();
  const done = (): void => {
    // Only the first account is an administrator at once.
    if (queries.getQueryData(meQuery.queryKey)?.role === 'admin') offerExampleRuns();
    goOn();
  };
  const { data } = useQuery(registrationQuery);
  const isFirst = data?.makes_administrator === true;
  const title = isFirst ? text.account.setupTitle : text.account.registerTitle;
  useTitle(title);
  return (
    <section className="card narrow">
      <div className="body stack">
        <h1>{title}</h1>
        {isFirst && <p className="quiet">{text.account.setup}</p>}
        <CredentialsForm isNew done={done} />
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
