import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { SignedIn } from '../account/signed-in.tsx';
import { keysQuery, keysWithEndedQuery, type ApiKey } from '../api/queries.ts';
import { useAlgorithmNames } from '../calls/algorithm-names.ts';
import { ChoiceLink } from '../parts/choice-link.tsx';
import { ListTable, type Column } from '../parts/list-table.tsx';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { text } from '../texts/text.ts';
import { ChangeKey, RotateKey } from './change-key.tsx';
import { keyColumns } from './key-columns.tsx';
import { Made, NewKey } from './new-key.tsx';
import { Revocation } from './revocation.tsx';

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

/** A key with its secret. */
interface Shown {
  readonly key: ApiKey;
  readonly notice: string;
}

/** What is to be done with a key. */
interface Asked {
  readonly what: 'change' | 'rotate' | 'revoke';
  readonly key: ApiKey;
}

function Keys() {
  const { ended } = useSearch({ from: '/keys' });
  const { data: keys, error, refetch } = useQuery(ended ? keysWithEndedQuery : keysQuery);
  /** New keys that the user has not yet confirmed to have copied. None is shown again. */
  const [made, setMade] = useState<readonly Shown[]>([]);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const without = ({ id }: ApiKey): readonly Shown[] => made.filter(({ key }) => key.id !== id);
  const show = (key: ApiKey, notice: string): void => setMade([...without(key), { key, notice }]);
  const list = useRef<HTMLElement>(null);
  /** The last key that was copied or revoked; the button that had the focus went away with it. */
  const [settled, setSettled] = useState<ApiKey>();
  useEffect(() => {
    if (settled) list.current?.focus({ preventScroll: true });
  }, [settled]);
  if (error && !keys) return <Fault error={error} retry={() => void refetch()} />;
  return (
    <>
      {made.map(({ key, notice }) => (
        <Made
          key={key.key}
          made={key}
          notice={notice}
          done={() => (setMade(without(key)), setSettled(key))}
        />
      ))}
      {made.length === 0 && <NewKey done={(key) => show(key, text.keys.made)} />}
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
        <RotateKey of={asked.key} done={(key) => show(key, text.keys.rotated)} close={close} />
      )}
    </>
  );
}

function List(props: { readonly keys: readonly ApiKey[]; readonly ask: (asked: Asked) => void }) {
  const names = useAlgorithmNames(props.keys.flatMap(({ algorithms }) => algorithms ?? []));
  const actions: Column<ApiKey> = {
    label: text.keys.actions,
    kind: 'actions',
    cell: (key) => key.status === 'active' && <Actions of={key} ask={props.ask} />,
  };
  return (
    <ListTable
      className="keys"
      label={text.keys.title}
      columns={[...keyColumns(names), actions]}
      rows={props.keys}
      keyOf={({ id }) => id}
    />
  );
}

function Actions({ of: key, ask }: { readonly of: ApiKey; readonly ask: (asked: Asked) => void }) {
  return (['change', 'rotate', 'revoke'] as const).map((what) => (
    <button
      key={what}
      type="button"
      className={`button small ${what === 'revoke' ? 'danger' : ''}`}
      aria-label={text.keys.actionOf[what](key.name)}
      onClick={() => ask({ what, key })}
    >
      {text.keys[what]}
    </button>
  ));
}
