import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { SignedIn } from '../account/signed-in.tsx';
import { TextField } from '../account/credentials-form.tsx';
import { api, dataOf } from '../api/client.ts';
import { keysQuery, type ApiKey } from '../api/queries.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { entered } from '../parts/plain-text.ts';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { apiUrl } from '../place.ts';
import { showAgo, showDate, text } from '../texts/text.ts';

const LIVES = [30, 90, 365];
const SCOPES = ['read', 'call', 'manage'] as const;
const DAY_MS = 86_400_000;

export function KeysPage() {
  useTitle(text.keys.title);
  return (
    <>
      <div className="page-head">
        <h1>{text.keys.title}</h1>
        <p className="quiet">{text.keys.intro}</p>
      </div>
      <SignedIn>{() => <Keys />}</SignedIn>
    </>
  );
}

function Keys() {
  const { data: keys, error, refetch } = useQuery(keysQuery);
  const [made, setMade] = useState<ApiKey>();
  const [revoked, setRevoked] = useState<ApiKey>();
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (!keys) return <Skeleton style={{ height: 320, borderRadius: 14 }} />;
  return (
    <>
      {made ? <Made made={made} done={() => setMade(undefined)} /> : <NewKey done={setMade} />}
      {keys.length === 0 ? (
        <Empty icon="key" title={text.keys.emptyTitle}>
          {text.keys.empty}
        </Empty>
      ) : (
        <section className="card table-scroll">
          <table>
            <thead>
              <tr>
                <th>{text.keys.name}</th>
                <th>{text.keys.key}</th>
                <th>{text.keys.status}</th>
                <th>{text.keys.scopes}</th>
                <th>{text.keys.expires}</th>
                <th>{text.keys.lastUsed}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <tr key={key.id}>
                  <td>{key.name}</td>
                  <td className="mono">{key.key}</td>
                  <td>
                    <StatusBadge status={key.status} />
                  </td>
                  <td className="small">{key.scopes.join(', ')}</td>
                  <td>{showDate(key.expires_at)}</td>
                  <td>{key.last_used_at ? showAgo(key.last_used_at) : text.keys.never}</td>
                  <td className="number">
                    {key.status === 'active' && (
                      <button type="button" className="button small danger" onClick={() => setRevoked(key)}>
                        {text.keys.revoke}
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {revoked && <Revocation revoked={revoked} close={() => setRevoked(undefined)} />}
    </>
  );
}

function NewKey({ done }: { readonly done: (made: ApiKey) => void }) {
  const queries = useQueryClient();
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
          <TextField label={text.keys.name} name="name" maxLength={200} hint={text.keys.nameHint} />
          <div className="field">
            <label htmlFor="key-days">{text.keys.expires}</label>
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
          <button type="submit" className="button primary" disabled={create.isPending}>
            {text.keys.create}
          </button>
        </div>
      </form>
    </section>
  );
}

/** The key is in no other answer, so it is shown until one says that it was copied. */
function Made({ made, done }: { readonly made: ApiKey; readonly done: () => void }) {
  const command = `export VITRINE_KEY='${made.key}'\ncurl -sS '${apiUrl}/users/me' -H "Authorization: Bearer $VITRINE_KEY"`;
  return (
    <section className="card">
      <div className="body stack">
        <p className="notice good" role="status">
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

function Revocation({ revoked, close }: { readonly revoked: ApiKey; readonly close: () => void }) {
  const queries = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const revoke = useMutation({
    mutationFn: () => dataOf(api.DELETE('/api-keys/{key_id}', { params: { path: { key_id: revoked.id } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      close();
    },
  });
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="revoke-title">
      <div className="stack">
        <h2 id="revoke-title">{text.keys.revokeTitle(revoked.name)}</h2>
        <p>{text.keys.revokeText}</p>
        {revoke.error && <Fault error={revoke.error} />}
        <div className="row">
          <button
            type="button"
            className="button danger primary"
            disabled={revoke.isPending}
            onClick={() => revoke.mutate()}
          >
            {text.keys.revoke}
          </button>
          <button type="button" className="button" onClick={close}>
            {text.keys.keep}
          </button>
        </div>
      </div>
    </dialog>
  );
}
