import type { ReactNode } from 'react';
import { PeriodPicker } from '../periods/period-picker.tsx';
import { hasHours } from '../periods/period.ts';
import { Segments } from '../parts/segments.tsx';
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
  return (
    <div className="row between figures-bar">
      <div className="row">
        <PeriodPicker period={search} ranges={FIGURE_RANGES} byDefault={USUAL_RANGE} change={change} />
        <Segments
          label={text.figures.by}
          options={BUCKETS}
          chosen={bucketOf(search)}
          choose={(by) => change({ by })}
          nameOf={(bucket) => text.figures.buckets[bucket]}
          isDisabled={(bucket) => bucket === 'hour' && !hasHours(search)}
        />
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
