import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { api, dataOf } from '../api/client.ts';
import { registrationQuery } from '../api/queries.ts';
import { signIn } from '../api/session.ts';
import { entered } from '../parts/plain-text.ts';
import { Skeleton } from '../parts/states.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useTitle } from '../parts/title.ts';
import { errorsOf } from '../playground/run.ts';
import { text } from '../texts/text.ts';
import { Refused } from './credentials-form.tsx';
import { NewPassword, newPasswordIn } from './new-password.tsx';

/** Where a one-time link leads: to a new password. Without a link, the way to get one by mail. */
export function ResetPage() {
  const [token, setToken] = useToken();
  return token ? <Choose key={token} token={token} askAgain={() => setToken(undefined)} /> : <Ask />;
}

/**
 * The token of the link. It follows a #, so that no server has it in its log, and leaves the address at once: the way to
 * sign in, which leads back here, names the address.
 */
function useToken() {
  const sent = new URLSearchParams(useLocation({ select: ({ hash }) => hash })).get('token');
  const [token, setToken] = useState(sent ?? undefined);
  const navigate = useNavigate();
  useEffect(() => {
    if (sent === null) return;
    setToken(sent);
    void navigate({ to: '/reset', replace: true });
  }, [sent, navigate]);
  return [token, setToken] as const;
}

function Choose({ token, askAgain }: { readonly token: string; readonly askAgain: () => void }) {
  const { data: registration } = useQuery(registrationQuery);
  const queries = useQueryClient();
  const navigate = useNavigate();
  /** What was set with the link. The link works once, even if the sign-in after it is refused. */
  const credentials = useRef<{ readonly username: string; readonly password: string }>(undefined);
  const choice = useMutation({
    mutationFn: async (fields: FormData) => {
      const chosen = newPasswordIn(fields);
      if (!credentials.current) {
        const body = { token, ...chosen };
        const { username } = await dataOf(api.POST('/users/password-reset/confirm', { body }));
        credentials.current = { username, password: chosen.password };
      }
      await signIn(queries, credentials.current);
    },
    onSuccess: () => navigate({ to: '/', replace: true }),
  });
  return (
    <Page title={text.account.resetTitle}>
      <p className="quiet">{text.account.resetHint}</p>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          choice.mutate(new FormData(event.currentTarget));
        }}
      >
        <NewPassword autoFocus wrong={errorsOf(choice.error).get('/body/password')} />
        {choice.error && <Refused error={choice.error} />}
        <SubmitButton isBusy={choice.isPending || choice.isSuccess}>{text.account.resetAction}</SubmitButton>
        {choice.error && registration?.password_reset && (
          <button type="button" className="button plain" onClick={askAgain}>
            {text.account.askAgain}
          </button>
        )}
      </form>
    </Page>
  );
}

function Ask() {
  const { data: registration } = useQuery(registrationQuery);
  const request = useMutation({
    mutationFn: (email: string) => dataOf(api.POST('/users/password-reset', { body: { email } })),
  });
  return (
    <Page title={text.account.forgotten}>
      {!registration && <Skeleton style={{ height: 96 }} />}
      {registration?.password_reset === false && (
        <p className="notice warn">{text.account.resetByAdministrator}</p>
      )}
      {registration?.password_reset && (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            request.mutate(entered(new FormData(event.currentTarget), 'email').trim());
          }}
        >
          <p className="quiet">{text.account.forgottenHint}</p>
          <TextField
            label={text.account.email}
            name="email"
            type="email"
            autoComplete="email"
            autoFocus
            wrong={errorsOf(request.error).get('/body/email')}
          />
          {request.error && <Refused error={request.error} />}
          {request.isSuccess && (
            <p className="notice good" role="status">
              {text.account.linkSent}
            </p>
          )}
          <SubmitButton isBusy={request.isPending}>{text.account.sendLink}</SubmitButton>
        </form>
      )}
      <p className="quiet">
        <Link to="/sign-in">{text.nav.signIn}</Link>
      </p>
    </Page>
  );
}

function Page({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useTitle(title);
  return (
    <section className="card narrow">
      <div className="body stack">
        <h1>{title}</h1>
        {children}
      </div>
    </section>
  );
}
