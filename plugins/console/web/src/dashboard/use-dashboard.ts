import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { FIGURES } from '../api/queries.ts';
import { minuteOf, type Range } from '../periods/period.ts';
import { timeOf, type DashboardSearch, type Time } from './dashboard-search.ts';

/** What a screen with figures knows of its time, and how it changes it. */
export interface Dashboard {
  readonly search: DashboardSearch;
  readonly byDefault: Range;
  readonly time: Time;
  readonly change: (part: DashboardSearch) => void;
  /** Shows the time between two values of a chart, in seconds since 1970. */
  readonly zoom: (from: number, to: number) => void;
  readonly refresh: () => void;
}

export function useDashboard(
  search: DashboardSearch,
  byDefault: Range,
  change: (part: DashboardSearch) => void,
): Dashboard {
  const queries = useQueryClient();
  const [asOf, setAsOf] = useState(Date.now);
  const refresh = useCallback(() => {
    setAsOf(Date.now());
    void queries.invalidateQueries({ queryKey: [FIGURES] });
  }, [queries]);
  const time = useMemo(() => timeOf(search, byDefault, asOf), [search, byDefault, asOf]);
  const zoom = useCallback(
    (from: number, to: number) =>
      change({ range: undefined, by: undefined, from: minuteOf(from * 1000), to: minuteOf(to * 1000) }),
    [change],
  );
  return { search, byDefault, time, change, zoom, refresh };
}
