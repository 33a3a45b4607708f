import { useCallback } from 'react';
import type { CallSeries } from '../api/queries.ts';
import { showFailure, text } from '../texts/text.ts';
import { ChartPanel } from './chart-panel.tsx';
import { countsChart, ranked } from './counts-chart.ts';
import type { Asked } from './figure-panel.tsx';
import type { Dashboard } from './use-dashboard.ts';

/** With which codes calls failed over time. */
export function ErrorsPanel(props: {
  readonly asked: Asked<CallSeries>;
  readonly dashboard: Pick<Dashboard, 'time' | 'zoom'>;
}) {
  const {
    asked,
    dashboard: { time, zoom },
  } = props;
  const { zone } = time;
  const chartOf = useCallback(
    ({ points, total, bucket }: CallSeries) =>
      countsChart(
        points.map(({ at, errors = {} }) => ({ at, counts: errors })),
        ranked(total.errors ?? {}).map(([code]) => code),
        { bucket, zone, nameOf: showFailure },
      ),
    [zone],
  );
  return (
    <ChartPanel
      title={text.figures.errorsTitle}
      file="errors-by-code"
      asked={asked}
      chartOf={chartOf}
      summaryOf={summaryOf}
      nothingIn={({ total }) => (total.errors ? undefined : text.figures.noErrors)}
      zoom={zoom}
    />
  );
}

function summaryOf({ total: { errors = {} } }: CallSeries): string {
  const codes = ranked(errors);
  const [most = '', times = 0] = codes[0] ?? [];
  const sum = codes.reduce((all, [, count]) => all + count, 0);
  return text.figures.errorsSummary(sum, showFailure(most), times);
}
