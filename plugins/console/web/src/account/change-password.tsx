import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, dataOf } from '../api/client.ts';
import { keysQuery, sessionsQuery } from '../api/queries.ts';
import { entered } from '../parts/plain-text.ts';
import { SubmitButton } from '../parts/submit-button.tsx';
import { TextField } from '../parts/text-field.tsx';
import { errorsOf } from '../playground/run.ts';
import { text } from '../texts/text.ts';
import { Refused } from './credentials-form.tsx';
import { NewPassword, newPasswordIn } from './new-password.tsx';

export function ChangePassword() {
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation({
    mutationFn: (fields: FormData) => {
      const { password: new_password, revoke_api_keys } = newPasswordIn(fields);
      const body = { old_password: entered(fields, 'old'), new_password, revoke_api_keys };
      return dataOf(api.POST('/users/me/password', { body }));
    },
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
        <NewPassword wrong={errors.get('/body/new_password')} />
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
