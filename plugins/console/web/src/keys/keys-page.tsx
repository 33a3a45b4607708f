import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { SignedIn } from '../account/signed-in.tsx';
import { api, dataOf } from '../api/client.ts';
import { keysQuery, keysWithEndedQuery, type ApiKey } from '../api/queries.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { ChoiceLink } from '../parts/choice-link.tsx';
import { Confirmation } from '../parts/dialog.tsx';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { Moment } from '../parts/moment.tsx';
import { showAgo, showDate, text } from '../texts/text.ts';
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

function Keys() {
  const { ended } = useSearch({ from: '/keys' });
  const { data: keys, error, refetch } = useQuery(ended ? keysWithEndedQuery : keysQuery);
  const [made, setMade] = useState<ApiKey>();
  const [revoked, setRevoked] = useState<ApiKey>();
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
        <Made made={made} done={() => (setMade(undefined), setSettled(made))} />
      ) : (
        <NewKey done={setMade} />
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
      {keys && keys.length > 0 && <List keys={keys} revoke={setRevoked} />}
      {revoked && (
        <Revocation revoked={revoked} done={() => setSettled(revoked)} close={() => setRevoked(undefined)} />
      )}
    </>
  );
}

function List(props: { readonly keys: readonly ApiKey[]; readonly revoke: (key: ApiKey) => void }) {
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
              </td>
              <td data-label={text.keys.expires}>
                <time dateTime={key.expires_at}>{showDate(key.expires_at)}</time>
              </td>
              <td data-label={text.keys.lastUsed}>
                {key.last_used_at ? <Moment iso={key.last_used_at} show={showAgo} /> : text.keys.never}
              </td>
              <td className="number">
                {key.status === 'active' && (
                  <button
                    type="button"
                    className="button small danger"
                    aria-label={text.keys.revokeOf(key.name)}
                    onClick={() => props.revoke(key)}
                  >
                    {text.keys.revoke}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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
