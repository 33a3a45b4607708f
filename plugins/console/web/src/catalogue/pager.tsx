import { Link, useNavigate } from '@tanstack/react-router';
import { text } from '../texts/text.ts';
import { SIZES, type CatalogueSearch } from './catalogue-search.ts';

export function Pager({ search, total }: { readonly search: CatalogueSearch; readonly total: number }) {
  const navigate = useNavigate({ from: '/' });
  const { page = 1, size = SIZES[0] } = search;
  const pages = Math.ceil(total / size);
  if (total <= SIZES[0]) return null;
  const to = (target: number) => ({
    to: '/' as const,
    search: { ...search, page: target > 1 ? target : undefined },
    className: 'button',
    disabled: target < 1 || target > pages,
    // Not disabled, so that it keeps the focus on the first or the last page.
    tabIndex: 0,
  });
  return (
    <nav className="pager" aria-label={text.catalogue.pages}>
      <Link {...to(page - 1)}>{text.catalogue.previous}</Link>
      <span className="quiet">{text.catalogue.page(page, pages)}</span>
      <Link {...to(page + 1)}>{text.catalogue.next}</Link>
      <select
        className="select"
        aria-label={text.catalogue.size}
        value={size}
        onChange={({ target }) =>
          void navigate({
            search: (before) => ({
              ...before,
              page: undefined,
              size: SIZES.slice(1).find((each) => each === Number(target.value)),
            }),
          })
        }
      >
        {SIZES.map((each) => (
          <option key={each} value={each}>
            {text.catalogue.perPage(each)}
          </option>
        ))}
      </select>
    </nav>
  );
}
