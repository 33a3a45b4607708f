import type { ReactNode } from 'react';
import { PeriodPicker } from '../periods/period-picker.tsx';
import { hasHours } from '../periods/period.ts';
import { showTime, text } from '../texts/text.ts';
import { BUCKETS, bucketOf, FIGURE_RANGES, USUAL_RANGE, type FiguresSearch } from './figures-search.ts';

/** Chooses the time and the points of figures, and asks for them again. */
export function FiguresBar({
  search,
  change,
  updatedAt,
  refresh,
  children,
}: {
  readonly search: FiguresSearch;
  readonly change: (part: FiguresSearch) => void;
  /** When the figures were asked for; 0 while they are. */
  readonly updatedAt: number;
  readonly refresh: () => void;
  readonly children?: ReactNode;
}) {
  const bucket = bucketOf(search);
  return (
    <div className="row between figures-bar">
      <div className="row">
        <PeriodPicker period={search} ranges={FIGURE_RANGES} byDefault={USUAL_RANGE} change={change} />
        <div className="segments" role="group" aria-label={text.figures.by}>
          {BUCKETS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={bucket === each}
              disabled={each === 'hour' && !hasHours(search)}
              onClick={() => change({ by: each })}
            >
              {text.figures.buckets[each]}
            </button>
          ))}
        </div>
        {children}
      </div>
      <div className="row">
        <span className="small quiet">
          {updatedAt > 0 && text.figures.updated(showTime(new Date(updatedAt).toISOString()))}
        </span>
        <button type="button" className="button small" onClick={refresh}>
          {text.figures.refresh}
        </button>
      </div>
    </div>
  );
}
