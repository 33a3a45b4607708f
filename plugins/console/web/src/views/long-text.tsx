import { useMemo, useState } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { text } from '../texts/text.ts';
import { showBytes } from './numbers.ts';

/** What is shown at first, and of what size the pieces are that the browser lays out one by one. */
const FIRST = 20_000;
const PIECE = 50_000;
/** What one more click shows. More at once would freeze the page. */
const STEP = 500_000;

/** A text that may be megabytes long: its beginning, and more of it when it is asked for. */
export function LongText({ value, isCode = false }: { readonly value: string; readonly isCode?: boolean }) {
  const [shown, setShown] = useState(FIRST);
  const pieces = useMemo(() => piecesOf(value, shown), [value, shown]);
  const left = value.length - shown;
  return (
    <>
      <div className={isCode ? 'long-text code' : 'long-text prose'} tabIndex={isCode ? 0 : undefined}>
        {pieces.map((piece, i) => (
          <span key={i} className={pieces.length > 1 ? 'piece' : undefined}>
            {piece}
          </span>
        ))}
        {left > 0 && '…'}
      </div>
      {left > 0 && (
        <div className="row small">
          <button type="button" className="button small" onClick={() => setShown(shown + STEP)}>
            {left > STEP ? text.results.showPart(showBytes(STEP)) : text.results.showAll}
          </button>
          <span className="quiet">{text.results.shownOf(showBytes(shown), showBytes(value.length))}</span>
          <CopyButton value={value} />
        </div>
      )}
    </>
  );
}

/** Pieces end at the end of a line where one is near, so that laying them out apart changes nothing. */
function piecesOf(value: string, shown: number): readonly string[] {
  if (Math.min(value.length, shown) <= PIECE) return [value.slice(0, shown)];
  const pieces: string[] = [];
  const end = Math.min(value.length, shown);
  for (let from = 0; from < end;) {
    const line = value.lastIndexOf('\n', from + PIECE);
    const to = Math.min(end, line > from + PIECE / 2 ? line + 1 : from + PIECE);
    pieces.push(value.slice(from, to));
    from = to;
  }
  return pieces;
}
