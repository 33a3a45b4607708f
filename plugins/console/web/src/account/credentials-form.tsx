import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { ApiError } from '../api/client.ts';
import { registrationQuery } from '../api/queries.ts';
import { register, signIn } from '../api/session.ts';
import { entered } from '../parts/plain-text.ts';
import { Fault, useCountdown } from '../parts/states.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { TextField } from '../parts/text-field.tsx';
import { showProblem, text } from '../texts/text.ts';
import { errorsOf } from '../playground/run.ts';

/** Signs in or registers, and calls back when there is a session. */
export function CredentialsForm({ isNew, done }: { readonly isNew: boolean; readonly done: () => void }) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const { data: registration } = useQuery({ ...registrationQuery, enabled: isNew });
  const errors = errorsOf(error);
  /** The account that was created, if signing in to it was refused. */
  const made = useRef<string>(undefined);

  const submit = async (form: HTMLFormElement): Promise<void> => {
    const fields = new FormData(form);
    const of = (name: string): string => entered(fields, name);
    const credentials = { username: of('username').trim(), password: of('password') };
    setBusy(true);
    setError(undefined);
    try {
      if (isNew && made.current !== credentials.username) {
        await register({ ...credentials, email: of('email').trim() });
        made.current = credentials.username;
      }
      await signIn(queries, credentials);
      done();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  if (isNew && registration?.open === false) return <p className="notice warn">{text.account.closed}</p>;
  return (
    <form
      className="stack"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <TextField
        label={text.account.username}
        name="username"
        autoComplete="username"
        autoFocus
        hint={isNew ? text.account.usernameHint : undefined}
        wrong={errors.get('/body/username')}
      />
      {isNew && (
        <TextField
          label={text.account.email}
          name="email"
          type="email"
          autoComplete="email"
          wrong={errors.get('/body/email')}
        />
      )}
      <TextField
        label={text.account.password}
        name="password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        hint={isNew ? text.account.passwordHint : undefined}
        wrong={errors.get('/body/password')}
      />
      {error !== undefined && <Refused error={error} />}
      <SubmitButton isBusy={isBusy}>
        {isNew ? text.account.registerTitle : text.account.signInTitle}
      </SubmitButton>
    </form>
  );
}

/** Why signing in, or a change of the password, was refused, and for how long it is. */
export function Refused({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError)) return <Fault error={error} />;
  return (
    <div className="notice bad" role="alert">
      <p>
        <strong>{showProblem(error.code, error.title)}</strong>
      </p>
      <p>{error.message}</p>
      {error.retryAfter !== undefined && <Wait key={error.requestId} seconds={error.retryAfter} />}
    </div>
  );
}

function Wait({ seconds }: { readonly seconds: number }) {
  const left = useCountdown(seconds);
  return <p aria-live="off">{left > 0 ? text.errors.retryIn(left) : text.errors.retryNow}</p>;
}
