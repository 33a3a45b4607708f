import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, dataOf } from '../api/client.ts';
import { keysQuery, sessionsQuery } from '../api/queries.ts';
import { entered } from '../parts/plain-text.ts';
import { SubmitButton } from '../parts/submit-button.tsx';
import { text } from '../texts/text.ts';
import { Refused, TextField } from './credentials-form.tsx';
import { errorsOf } from '../playground/run.ts';

export function ChangePassword() {
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation({
    mutationFn: (fields: FormData) =>
      dataOf(
        api.POST('/users/me/password', {
          body: {
            old_password: entered(fields, 'old'),
            new_password: entered(fields, 'new'),
            revoke_api_keys: fields.get('keys') === 'on',
          },
        }),
      ),
    onSuccess: () => {
      form.current?.reset();
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      void queries.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
  });
  const errors = errorsOf(change.error);
  return (
    <section className="card">
      <header>
        <h2>{text.account.changePassword}</h2>
      </header>
      <form
        ref={form}
        className="body stack"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(new FormData(event.currentTarget));
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
          wrong={errors.get('/body/new_password')}
        />
        <label className="choice">
          <input type="checkbox" name="keys" />
          <span>
            {text.account.revokeKeys}
            <small className="quiet">{text.account.revokeKeysHint}</small>
          </span>
        </label>
        {change.error && <Refused error={change.error} />}
        {change.isSuccess && (
          <p className="notice good" role="status">
            {text.account.passwordChanged}
          </p>
        )}
        <div>
          <SubmitButton isBusy={change.isPending}>{text.account.changePassword}</SubmitButton>
        </div>
      </form>
    </section>
  );
}
