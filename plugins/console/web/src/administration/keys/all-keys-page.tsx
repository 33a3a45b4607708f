import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FilterSelect } from '../../parts/choice.tsx';
import { Empty } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, showStatus, text } from '../../texts/text.ts';
import { KEY_STATUSES, SOON, type AllKeysSearch } from '../addresses.ts';
import { ListOf } from '../list-of.tsx';
import { PickUser } from '../pick.tsx';
import { keysOfQuery, partOf } from '../queries.ts';
import { KeyTable } from './key-table.tsx';

const HOUR_MS = 3_600_000;

/** The API keys of everybody. */
export function AllKeysPage() {
  const words = adminText.keys;
  useTitle(words.title);
  const search = useSearch({ from: '/administration/keys' });
  const navigate = useNavigate({ from: '/administration/keys' });
  const found = useQuery(keysOfQuery(queryOf(search)));
  const filter = (part: AllKeysSearch): void =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), resetScroll: false });
  return (
    <>
      <div className="page-head">
        <h1>{words.title}</h1>
        <p className="quiet">{words.intro}</p>
      </div>
      <div className="list-filters">
        <PickUser find={words.owner} chosen={search.owner} choose={(owner) => filter({ owner })} />
        <FilterSelect
          label={text.keys.status}
          any={showStatus('active')}
          options={KEY_STATUSES.filter((status) => status !== 'active')}
          chosen={search.status === 'active' ? undefined : search.status}
          nameOf={(status) => (status === 'all' ? text.keys.all : showStatus(status))}
          choose={(status) => filter({ status })}
        />
        <FilterSelect
          label={text.keys.expires}
          any={words.anyExpiry}
          options={SOON}
          chosen={search.soon}
          nameOf={words.soon}
          choose={(soon) => filter({ soon })}
        />
      </div>
      <ListOf
        found={found}
        count={words.count}
        empty={
          <Empty icon="key" title={text.keys.emptyTitle}>
            {words.empty}
          </Empty>
        }
        isFiltered={(search.owner ?? search.status ?? search.soon) !== undefined}
        page={search.page}
      >
        {(rows) => <KeyTable keys={rows} namesOwners />}
      </ListOf>
    </>
  );
}

function queryOf({ owner = 'all', status, soon, page }: AllKeysSearch) {
  const end = Date.now() + (soon ?? 0) * 24 * HOUR_MS;
  return {
    user_id: owner,
    ...(status && { status }),
    // To the hour, so that the same list is asked for once.
    ...(soon && { expires_before: new Date(Math.ceil(end / HOUR_MS) * HOUR_MS).toISOString() }),
    ...partOf(page),
  };
}
