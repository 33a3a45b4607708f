import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { keysQuery, type ApiKey } from '../api/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { entered } from '../parts/plain-text.ts';
import { Fault } from '../parts/states.tsx';
import { SubmitButton } from '../parts/submit-button.tsx';
import { TextField } from '../parts/text-field.tsx';
import { Unsaved } from '../parts/unsaved.tsx';
import { apiUrl } from '../place.ts';
import { errorsOf } from '../playground/run.ts';
import { text } from '../texts/text.ts';
import { endAfter, keyIn, LIVES, Restrictions, ScopeFields } from './key-fields.tsx';

export function NewKey({ done }: { readonly done: (made: ApiKey) => void }) {
  const queries = useQueryClient();
  // The palette leads here to make one at once.
  const isWanted = useLocation({ select: ({ hash }) => hash === 'new' });
  const create = useMutation({
    mutationFn: (form: FormData) => {
      const { algorithms, networks, ...key } = keyIn(form);
      return dataOf(
        api.POST('/api-keys', {
          body: {
            ...key,
            expires_at: endAfter(Number(entered(form, 'days'))),
            ...(algorithms && { algorithms }),
            ...(networks && { networks }),
          },
        }),
      );
    },
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
          <ScopeFields scopes={['read', 'call']} />
        </div>
        <Restrictions errors={errorsOf(create.error)} />
        {create.error && <Fault error={create.error} />}
        <div>
          <SubmitButton isBusy={create.isPending}>{text.keys.create}</SubmitButton>
        </div>
      </form>
    </section>
  );
}

/** What a key may read that answers only with a valid key: its account, unless the key is kept from that. */
function tried({ algorithms, scopes }: ApiKey): string {
  return algorithms === null && scopes.includes('read') ? 'users/me' : 'algorithms?limit=5';
}

/** The key is in no other answer, so it is shown until one says that it was copied. */
export function Made(props: { readonly made: ApiKey; readonly notice: string; readonly done: () => void }) {
  const { made, notice, done } = props;
  const said = useRef<HTMLParagraphElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copied = (): void => setCopied(true);
  // The form that had the focus is gone, and the buttons of the list may be far below.
  useEffect(() => said.current?.focus(), []);
  const command = `export VITRINE_KEY='${made.key}'\ncurl -sS '${apiUrl}/${tried(made)}' -H "Authorization: Bearer $VITRINE_KEY"`;
  return (
    <section className="card" onCopy={copied}>
      <Unsaved when={!isCopied} words={text.uncopied} staysOnPath />
      <div className="body stack">
        <p ref={said} className="notice good" role="status" tabIndex={-1}>
          <strong>{notice}</strong>
        </p>
        <div className="row">
          <code className="code made-key">{made.key}</code>
          <CopyButton value={made.key} copied={copied} />
        </div>
        <div className="row between">
          <p>{text.keys.tryIt}</p>
          <CopyButton value={command} copied={copied} />
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
