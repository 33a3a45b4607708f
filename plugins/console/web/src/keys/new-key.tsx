import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { TextField } from '../account/credentials-form.tsx';
import { api, dataOf } from '../api/client.ts';
import { keysQuery, type ApiKey } from '../api/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { entered } from '../parts/plain-text.ts';
import { Fault } from '../parts/states.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { apiUrl } from '../place.ts';
import { text } from '../texts/text.ts';

const LIVES = [7, 30, 90, 365];
const SCOPES = ['read', 'call', 'manage'] as const;
const DAY_MS = 86_400_000;

export function NewKey({ done }: { readonly done: (made: ApiKey) => void }) {
  const queries = useQueryClient();
  // The palette leads here to make one at once.
  const isWanted = useLocation({ select: ({ hash }) => hash === 'new' });
  const create = useMutation({
    mutationFn: (form: FormData) =>
      dataOf(
        api.POST('/api-keys', {
          body: {
            name: entered(form, 'name'),
            expires_at: new Date(Date.now() + Number(entered(form, 'days')) * DAY_MS).toISOString(),
            scopes: SCOPES.filter((scope) => form.get(scope) === 'on'),
          },
        }),
      ),
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      done(made);
    },
  });
  return (
    <section className="card">
      <form
        className="body stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(new FormData(event.currentTarget));
        }}
      >
        <div className="new-key">
          <TextField
            label={text.keys.name}
            name="name"
            maxLength={200}
            hint={text.keys.nameHint}
            autoFocus={isWanted}
          />
          <div className="field">
            <label htmlFor="key-days">{text.keys.validFor}</label>
            <select id="key-days" name="days" className="select" defaultValue={90}>
              {LIVES.map((days) => (
                <option key={days} value={days}>
                  {text.keys.days(days)}
                </option>
              ))}
            </select>
          </div>
          <fieldset className="field scopes">
            <legend className="label">{text.keys.scopes}</legend>
            <div className="row">
              {SCOPES.map((scope) => (
                <label key={scope} className="row small">
                  <input type="checkbox" name={scope} defaultChecked={scope !== 'manage'} />
                  {text.keys.scopeNames[scope]}
                </label>
              ))}
            </div>
          </fieldset>
        </div>
        {create.error && <Fault error={create.error} />}
        <div>
          <SubmitButton isBusy={create.isPending}>{text.keys.create}</SubmitButton>
        </div>
      </form>
    </section>
  );
}

/** The key is in no other answer, so it is shown until one says that it was copied. */
export function Made({ made, done }: { readonly made: ApiKey; readonly done: () => void }) {
  const command = `export VITRINE_KEY='${made.key}'\ncurl -sS '${apiUrl}/users/me' -H "Authorization: Bearer $VITRINE_KEY"`;
  const said = useRef<HTMLParagraphElement>(null);
  // The form that had the focus is gone.
  useEffect(() => said.current?.focus(), []);
  return (
    <section className="card">
      <div className="body stack">
        <p ref={said} className="notice good" role="status" tabIndex={-1}>
          <strong>{text.keys.made}</strong>
        </p>
        <div className="row">
          <code className="code made-key">{made.key}</code>
          <CopyButton value={made.key} />
        </div>
        <div className="row between">
          <p>{text.keys.tryIt}</p>
          <CopyButton value={command} />
        </div>
        <pre className="code" tabIndex={0}>
          <code>{command}</code>
        </pre>
        <div>
          <button type="button" className="button primary" onClick={done}>
            {text.keys.done}
          </button>
        </div>
      </div>
    </section>
  );
}
