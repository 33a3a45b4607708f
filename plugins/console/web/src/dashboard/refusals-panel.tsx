import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { refusalsQuery, type RefusalSeries, type RefusalsQuery } from '../api/queries.ts';
import { showProblem, text } from '../texts/text.ts';
import { ChartPanel } from './chart-panel.tsx';
import { countsChart, ranked } from './counts-chart.ts';
import type { Dashboard } from './use-dashboard.ts';

/** Why the gateway refused requests over time. */
export function RefusalsPanel(props: {
  readonly dashboard: Pick<Dashboard, 'time' | 'zoom'>;
  readonly algorithmId?: string;
}) {
  const {
    dashboard: { time, zoom },
    algorithmId,
  } = props;
  const query: RefusalsQuery = {
    ...time.query,
    ...(algorithmId !== undefined && { algorithm_id: algorithmId }),
  };
  const asked = useQuery(refusalsQuery(query));
  const { zone } = time;
  const chartOf = useCallback(
    ({ points, total, bucket }: RefusalSeries) =>
      countsChart(
        points.map(({ at, refusals }) => ({ at, counts: refusals })),
        ranked(total).map(([code]) => code),
        { bucket, zone, nameOf },
      ),
    [zone],
  );
  const { data, ...rest } = asked;
  if (data === null) return null;
  return (
    <ChartPanel
      title={text.figures.refusalsTitle}
      file="refusals-by-reason"
      asked={{ ...rest, data }}
      chartOf={chartOf}
      summaryOf={summaryOf}
      nothingIn={({ total }) => (ranked(total).length > 0 ? undefined : text.figures.noRefusals)}
      zoom={zoom}
    />
  );
}

const nameOf = (code: string): string => showProblem(code, code);

function summaryOf({ total }: RefusalSeries): string {
  const codes = ranked(total);
  const [most = '', times = 0] = codes[0] ?? [];
  const sum = codes.reduce((all, [, count]) => all + count, 0);
  return text.figures.refusalsSummary(sum, nameOf(most), times);
}
