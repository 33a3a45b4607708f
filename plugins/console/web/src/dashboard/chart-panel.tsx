import { useMemo } from 'react';
import { Chart } from '../charts/chart.tsx';
import type { ChartData } from '../charts/chart-data.ts';
import { useLanguage } from '../texts/text.ts';
import { FigurePanel, Nothing, type Asked, type FileRows } from './figure-panel.tsx';

interface ChartPanelProps<T> {
  readonly title: string;
  readonly file: string;
  readonly asked: Asked<T>;
  /** Keep the function between renders, since another one draws the chart anew. */
  readonly chartOf: (data: T) => ChartData;
  readonly summaryOf: (data: T) => string;
  /** What to say where there is nothing to draw. */
  readonly nothingIn?: (data: T) => string | undefined;
  readonly zoom: (from: number, to: number) => void;
}

/** Figures over time, as a chart, in words, as a table and as a file. */
export function ChartPanel<T>(props: ChartPanelProps<T>) {
  const { title, file, asked, chartOf, summaryOf, nothingIn, zoom } = props;
  return (
    <FigurePanel title={title} file={file} asked={asked} rowsOf={(data) => rowsOf(chartOf(data))}>
      {(data) => {
        const nothing = nothingIn?.(data);
        if (nothing !== undefined) return <Nothing>{nothing}</Nothing>;
        return <Drawn data={data} chartOf={chartOf} summary={summaryOf(data)} zoom={zoom} />;
      }}
    </FigurePanel>
  );
}

function Drawn<T>(
  props: Pick<ChartPanelProps<T>, 'chartOf' | 'zoom'> & { readonly data: T; readonly summary: string },
) {
  const { data, chartOf, summary, zoom } = props;
  const language = useLanguage();
  const chart = useMemo(() => chartOf(data), [data, chartOf, language]);
  return <Chart data={chart} summary={summary} onSelect={zoom} />;
}

/** The table of a chart in numbers, and in times that any program reads. */
function rowsOf({ x, xLabel, time, series }: ChartData): FileRows {
  return {
    head: [xLabel, ...series.map(({ label }) => label)],
    rows: x.map((at, row) => [
      time === undefined ? at : new Date(at * 1000).toISOString(),
      ...series.map(({ values }) => values[row] ?? null),
    ]),
  };
}
