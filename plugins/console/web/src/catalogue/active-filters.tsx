import { Link } from '@tanstack/react-router';
import { Icon } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';
import { activeFilters, unfiltered, type CatalogueSearch } from './catalogue-search.ts';
import { nameOf } from './filter-names.ts';

/** What the list is filtered by; each is taken away by itself. */
export function ActiveFilters({ search }: { readonly search: CatalogueSearch }) {
  const filters = activeFilters(search);
  if (filters.length === 0) return null;
  return (
    <ul className="active-filters" aria-label={text.catalogue.active}>
      {filters.map(({ by, value, without }) => (
        <li key={`${by} ${value}`}>
          <Link
            to="/"
            search={without}
            resetScroll={false}
            activeOptions={{ exact: true }}
            className="chip all"
            aria-label={text.catalogue.remove(nameOf(by, value))}
          >
            <span>{nameOf(by, value)}</span>
            <Icon name="close" size={14} />
          </Link>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <Link
            to="/"
            search={unfiltered(search)}
            resetScroll={false}
            activeOptions={{ exact: true }}
            className="small"
          >
            {text.catalogue.clearAll}
          </Link>
        </li>
      )}
    </ul>
  );
}
