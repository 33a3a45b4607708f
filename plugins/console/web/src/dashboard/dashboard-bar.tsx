import { useState, type ReactNode } from 'react';
import { Segments } from '../parts/segments.tsx';
import { BUCKETS } from '../periods/period.ts';
import { showTime, text } from '../texts/text.ts';
import { TimePicker, ZonePicker } from './time-picker.tsx';
import type { Dashboard } from './use-dashboard.ts';
import { useLive } from './use-live.ts';

/** Chooses the time and the points of all figures of a screen, and whether they come by themselves. */
export function DashboardBar({
  dashboard,
  whose,
  loadedAt,
  children,
}: {
  readonly dashboard: Dashboard;
  /** The query of the stream that tells of new calls. */
  readonly whose: string;
  /** When the figures came, in milliseconds since 1970; 0 while the first ones are on their way. */
  readonly loadedAt: number;
  readonly children?: ReactNode;
}) {
  const { time, search, change, refresh } = dashboard;
  // Those of an earlier time stay in sight until others come.
  const [asOf, setAsOf] = useState(loadedAt);
  if (loadedAt > 0 && loadedAt !== asOf) setAsOf(loadedAt);
  const live = useLive(search.live !== 'off' && time.span.isOpen, whose, refresh);
  const updated = asOf > 0 && text.figures.updated(showTime(new Date(asOf).toISOString()));
  return (
    <div className="row between dashboard-bar">
      <div className="row">
        <TimePicker dashboard={dashboard} />
        <ZonePicker dashboard={dashboard} />
        <Segments
          label={text.figures.by}
          options={BUCKETS}
          chosen={time.bucket}
          choose={(by) => change({ by })}
          nameOf={(bucket) => text.figures.buckets[bucket]}
          isDisabled={(bucket) => !time.buckets.includes(bucket)}
        />
        {children}
      </div>
      <div className="row">
        <span className="small quiet" title={live === 'asking' ? text.figures.asking : undefined}>
          {live === 'stream' && <i className="pulse" aria-hidden="true" />}
          {updated}
        </span>
        <label className="switch small">
          <input
            type="checkbox"
            role="switch"
            checked={search.live !== 'off'}
            onChange={({ target }) => change({ live: target.checked ? undefined : 'off' })}
          />
          <span>{text.figures.live}</span>
        </label>
        <button type="button" className="button small" onClick={refresh}>
          {text.figures.refresh}
        </button>
      </div>
    </div>
  );
}
