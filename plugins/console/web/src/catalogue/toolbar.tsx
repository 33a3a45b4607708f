import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Facets } from '../api/queries.ts';
import { ChoiceLink } from '../parts/choice-link.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { text } from '../texts/text.ts';
import { activeFilters, SORTS, unfiltered, type CatalogueSearch, type Sort } from './catalogue-search.ts';
import { FacetGroups } from './facet-groups.tsx';

/** The orders that are offered; the columns of the table offer the others. */
const OFFERED: readonly Sort[] = ['name', '-created_at', '-updated_at', '-calls', '-success'];

interface ToolbarProps {
  readonly search: CatalogueSearch;
  readonly facets: Facets | undefined;
  readonly total: number | undefined;
}

export function Toolbar({ search, facets, total }: ToolbarProps) {
  const navigate = useNavigate({ from: '/' });
  const { sort = 'name' } = search;
  return (
    <div className="filters">
      <SearchField
        q={search.q}
        label={text.catalogue.search}
        change={(q) =>
          void navigate({ search: (before) => ({ ...before, q, page: undefined }), replace: true })
        }
      />
      <FilterDialog search={search} facets={facets} total={total} />
      <select
        className="select"
        aria-label={text.catalogue.sort}
        value={sort}
        onChange={({ target }) =>
          void navigate({
            search: (before) => ({
              ...before,
              sort: SORTS.find((each) => each === target.value),
              page: undefined,
            }),
          })
        }
      >
        {[...OFFERED, ...(OFFERED.includes(sort) ? [] : [sort])].map((each) => (
          <option key={each} value={each}>
            {text.catalogue.sorts[each]}
          </option>
        ))}
      </select>
      <div className="segments views" role="group" aria-label={text.catalogue.views}>
        {([undefined, 'table'] as const).map((view) => (
          <ChoiceLink
            key={view ?? 'cards'}
            to="/"
            search={{ ...search, view }}
            resetScroll={false}
            isCurrent={search.view === view}
            aria-label={view ? text.catalogue.table : text.catalogue.cards}
            title={view ? text.catalogue.table : text.catalogue.cards}
          >
            <Icon name={view ? 'rows' : 'grid'} />
          </ChoiceLink>
        ))}
      </div>
    </div>
  );
}

/** Where the window is too narrow for the filters beside the list, a button opens them. */
function FilterDialog({ search, facets, total }: ToolbarProps) {
  const [isOpen, setOpen] = useState(false);
  const count = activeFilters({ ...search, q: undefined }).length;
  return (
    <>
      <button type="button" className="button filter-button" onClick={() => setOpen(true)}>
        <Icon name="filter" />
        {text.catalogue.filters}
        {count > 0 && <span className="badge">{count}</span>}
      </button>
      {isOpen && <OpenFilters search={search} facets={facets} total={total} close={() => setOpen(false)} />}
    </>
  );
}

function OpenFilters({ search, facets, total, close }: ToolbarProps & { readonly close: () => void }) {
  const navigate = useNavigate({ from: '/' });
  return (
    <Dialog title={text.catalogue.filters} className="filter-dialog" close={close}>
      <FacetGroups search={search} facets={facets} />
      <div className="row">
        <button type="button" className="button primary" onClick={close}>
          {text.catalogue.show(total ?? 0)}
        </button>
        <button
          type="button"
          className="button plain"
          onClick={() => void navigate({ search: { ...unfiltered(search), q: search.q } })}
        >
          {text.catalogue.clearAll}
        </button>
      </div>
    </Dialog>
  );
}
