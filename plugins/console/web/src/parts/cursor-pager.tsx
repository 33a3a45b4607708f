import { text } from '../texts/text.ts';

/** Older entries, and the way back to the newest ones; the browser goes back page by page. */
export function CursorPager(props: {
  readonly cursor: string | undefined;
  readonly next: string | null;
  readonly go: (cursor: string | undefined) => void;
}) {
  const { cursor, next, go } = props;
  return (
    <nav className="pager" aria-label={text.catalogue.pages}>
      {cursor !== undefined && (
        <button type="button" className="button" onClick={() => go(undefined)}>
          {text.history.first}
        </button>
      )}
      {next !== null && (
        <button type="button" className="button" onClick={() => go(next)}>
          {text.history.next}
        </button>
      )}
    </nav>
  );
}
