import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FilterSelect } from '../../parts/choice.tsx';
import { ListTable } from '../../parts/list-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, text } from '../../texts/text.ts';
import { ListOf } from '../list-of.tsx';
import { PickAlgorithm } from '../pick.tsx';
import { useIsOn } from '../../pages/page-list.ts';
import { partOf } from '../queries.ts';
import { REPOSITORY_STATUSES, type RepositoriesSearch } from './addresses.ts';
import { DeleteRepository } from './delete-repository.tsx';
import { ChangeHosted, NewHosted } from './hosted-dialogs.tsx';
import { repositoriesQuery, type Repository } from './queries.ts';
import { ChangeRepository, NewRepository } from './repository-dialogs.tsx';
import { useRepositoryColumns } from './repository-columns.tsx';

/** Where the code of the algorithms is. */
export function RepositoriesPage() {
  const words = adminText.repositories;
  useTitle(text.sections.repositories);
  const search = useSearch({ from: '/administration/repositories/' });
  const navigate = useNavigate({ from: '/administration/repositories/' });
  const { page, open, ...filters } = search;
  const isHosting = useIsOn()('repohost');
  const [asked, setAsked] = useState<Asked>();
  const found = useQuery(repositoriesQuery({ ...given(filters), ...partOf(page) }));
  const filter = (part: RepositoriesSearch, replace = false): void =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...part }),
      replace,
      resetScroll: false,
    });
  // What is closed was saved, or given up.
  const edit = (id: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, open: id }), resetScroll: false, ignoreBlocker: true });
  const columns = useRepositoryColumns(found.data?.rows ?? [], {
    edit: ({ id }) => edit(id),
    remove: (repository) => setAsked({ what: 'remove', repository }),
    ...(isHosting && { host: (repository: Repository) => setAsked({ what: 'host', repository }) }),
  });
  return (
    <>
      <div className="row between">
        <div className="list-filters">
          <SearchField q={search.q} label={words.search} change={(q) => filter({ q }, true)} />
          <FilterSelect
            label={text.history.status}
            any={words.anyStatus}
            options={REPOSITORY_STATUSES}
            chosen={search.status}
            nameOf={(status) => words.statuses[status]}
            choose={(status) => filter({ status })}
          />
          <PickAlgorithm
            find={words.ofAlgorithm}
            chosen={search.algorithm}
            choose={(algorithm) => filter({ algorithm })}
          />
        </div>
        <div className="row">
          {isHosting && (
            <button type="button" className="button" onClick={() => setAsked({ what: 'make' })}>
              {words.make}
            </button>
          )}
          <button type="button" className="button primary" onClick={() => setAsked({ what: 'add' })}>
            {words.add}
          </button>
        </div>
      </div>
      <ListOf
        found={found}
        count={words.count}
        empty={
          <Empty icon="code" title={words.emptyTitle}>
            {words.empty}
          </Empty>
        }
        isFiltered={(search.q ?? search.status ?? search.algorithm) !== undefined}
        page={page}
      >
        {(rows) => (
          <ListTable
            label={text.sections.repositories}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </ListOf>
      {asked && <AskedDialog asked={asked} close={() => setAsked(undefined)} />}
      {open && <ChangeRepository key={open} id={open} close={() => edit(undefined)} />}
    </>
  );
}

type Asked =
  | { readonly what: 'add' | 'make' }
  | { readonly what: 'host' | 'remove'; readonly repository: Repository };

function AskedDialog({ asked, close }: { readonly asked: Asked; readonly close: () => void }) {
  switch (asked.what) {
    case 'add':
      return <NewRepository close={close} />;
    case 'make':
      return <NewHosted close={close} />;
    case 'host':
      return <ChangeHosted repository={asked.repository} close={close} />;
    case 'remove':
      return <DeleteRepository repository={asked.repository} close={close} />;
  }
}

/** Only what is there: the API takes no empty filter. */
function given({ q, status, algorithm }: RepositoriesSearch) {
  return { ...(q && { q }), ...(status && { status }), ...(algorithm && { algorithm_id: algorithm }) };
}
