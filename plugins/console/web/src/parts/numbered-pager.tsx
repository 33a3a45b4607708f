import { text } from '../texts/text.ts';

/** Goes through the pages of a list whose length is known; nothing where there is one page. */
export function NumberedPager(props: {
  readonly page: number;
  readonly pages: number;
  readonly go: (page: number | undefined) => void;
}) {
  const { page, pages, go } = props;
  if (pages <= 1) return null;
  const to = (target: number, label: string) => {
    const isNone = target < 1 || target > pages;
    // Not disabled, so that it keeps the focus on the first or the last page.
    return (
      <button
        type="button"
        className="button"
        aria-disabled={isNone}
        onClick={() => isNone || go(target === 1 ? undefined : target)}
      >
        {label}
      </button>
    );
  };
  return (
    <nav className="pager" aria-label={text.catalogue.pages}>
      {to(page - 1, text.catalogue.previous)}
      <span className="quiet">{text.catalogue.page(page, pages)}</span>
      {to(page + 1, text.catalogue.next)}
    </nav>
  );
}
