import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { SignedIn } from '../account/signed-in.tsx';
import { api, dataOf } from '../api/client.ts';
import { keysQuery, keysWithEndedQuery, type ApiKey } from '../api/queries.ts';
import { useAlgorithmNames } from '../calls/algorithm-names.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { ChoiceLink } from '../parts/choice-link.tsx';
import { Confirmation } from '../parts/dialog.tsx';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { Moment } from '../parts/moment.tsx';
import { showAgo, showDate, showMoment, text } from '../texts/text.ts';
import { ChangeKey, RotateKey } from './change-key.tsx';
import { Made, NewKey } from './new-key.tsx';

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

/** What is to be done with a key. */
interface Asked {
  readonly what: 'change' | 'rotate' | 'revoke';
  readonly key: ApiKey;
}

function Keys() {
  const { ended } = useSearch({ from: '/keys' });
  const { data: keys, error, refetch } = useQuery(ended ? keysWithEndedQuery : keysQuery);
  const [made, setMade] = useState<{ readonly key: ApiKey; readonly notice: string }>();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const list = useRef<HTMLElement>(null);
  /** The last key that was copied or revoked; the button that had the focus went away with it. */
  const [settled, setSettled] = useState<ApiKey>();
  useEffect(() => {
    if (settled) list.current?.focus({ preventScroll: true });
  }, [settled]);
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  return (
    <>
      {made ? (
        <Made made={made.key} notice={made.notice} done={() => (setMade(undefined), setSettled(made.key))} />
      ) : (
        <NewKey done={(key) => setMade({ key, notice: text.keys.made })} />
      )}
      <nav ref={list} className="row" aria-label={text.keys.which} tabIndex={-1}>
        <ChoiceLink to="/keys" search={{}} className="chip all" isCurrent={!ended}>
          {text.keys.active}
        </ChoiceLink>
        <ChoiceLink to="/keys" search={{ ended: true }} className="chip all" isCurrent={ended === true}>
          {text.keys.all}
        </ChoiceLink>
      </nav>
      {!keys && <Skeleton style={{ height: 160, borderRadius: 14 }} />}
      {keys?.length === 0 && (
        <Empty icon="key" title={text.keys.emptyTitle}>
          {text.keys.empty}
        </Empty>
      )}
      {keys && keys.length > 0 && <List keys={keys} ask={setAsked} />}
      {asked?.what === 'change' && <ChangeKey of={asked.key} close={close} />}
      {asked?.what === 'revoke' && (
        <Revocation revoked={asked.key} done={() => setSettled(asked.key)} close={close} />
      )}
      {asked?.what === 'rotate' && (
        <RotateKey of={asked.key} done={(key) => setMade({ key, notice: text.keys.rotated })} close={close} />
      )}
    </>
  );
}

function List(props: { readonly keys: readonly ApiKey[]; readonly ask: (asked: Asked) => void }) {
  const names = useAlgorithmNames(props.keys.flatMap(({ algorithms }) => algorithms ?? []));
  return (
    <section className="card table-scroll keys">
      <table>
        <thead>
          <tr>
            <th>{text.keys.name}</th>
            <th>{text.keys.status}</th>
            <th>{text.keys.scopes}</th>
            <th>{text.keys.expires}</th>
            <th>{text.keys.lastUsed}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {props.keys.map((key) => (
            <tr key={key.id}>
              <td>
                <strong>{key.name}</strong>
                <code className="quiet">{key.key}</code>
              </td>
              <td>
                <StatusBadge status={key.status} />
              </td>
              <td className="small" data-label={text.keys.scopes}>
                {key.scopes.map((scope) => text.keys.scopeNames[scope]).join(text.keys.scopeSeparator)}
                <Restricted of={key} names={names} />
              </td>
              <td data-label={text.keys.expires}>
                <time dateTime={key.expires_at}>{showDate(key.expires_at)}</time>
                {key.expires_soon && <span className="badge warn">{text.keys.expiresSoon}</span>}
                {key.previous_expires_at && (
                  <p className="hint small">
                    {text.keys.previousUntil} <Moment iso={key.previous_expires_at} show={showMoment} />
                  </p>
                )}
              </td>
              <td data-label={text.keys.lastUsed}>
                {key.last_used_at ? <Moment iso={key.last_used_at} show={showAgo} /> : text.keys.never}
              </td>
              <td className="number">
                {key.status === 'active' && (
                  <div className="row actions">
                    {(['change', 'rotate', 'revoke'] as const).map((what) => (
                      <button
                        key={what}
                        type="button"
                        className={`button small ${what === 'revoke' ? 'danger' : ''}`}
                        aria-label={text.keys.actionOf[what](key.name)}
                        onClick={() => props.ask({ what, key })}
                      >
                        {text.keys[what]}
                      </button>
                    ))}
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What a key is restricted to besides its scopes. */
function Restricted({ of, names }: { readonly of: ApiKey; readonly names: ReadonlyMap<string, string> }) {
  const algorithms = of.algorithms?.map((id) => names.get(id) ?? id) ?? [];
  return (
    <>
      {algorithms.length > 0 && (
        <p className="hint small">{text.keys.only(algorithms.join(text.keys.scopeSeparator))}</p>
      )}
      {of.networks && (
        <p className="hint small">{text.keys.from(of.networks.join(text.keys.scopeSeparator))}</p>
      )}
    </>
  );
}

function Revocation({
  revoked,
  done,
  close,
}: {
  readonly revoked: ApiKey;
  readonly done: () => void;
  readonly close: () => void;
}) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => dataOf(api.DELETE('/api-keys/{key_id}', { params: { path: { key_id: revoked.id } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      done();
      close();
    },
  });
  return (
    <Confirmation
      title={text.keys.revokeTitle(revoked.name)}
      action={text.keys.revoke}
      isBusy={revoke.isPending}
      confirm={() => revoke.mutate()}
      close={close}
    >
      <p>{text.keys.revokeText}</p>
      {revoke.error && <Fault error={revoke.error} />}
    </Confirmation>
  );
}
