import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { loadQuery, type LoadSeries } from '../api/queries.ts';
import type { ChartData } from '../charts/chart-data.ts';
import { showDuration, showNumber, showPercent, text } from '../texts/text.ts';
import { showBytes } from '../views/numbers.ts';
import { ChartPanel } from './chart-panel.tsx';
import type { Zone } from './dashboard-search.ts';
import type { Asked } from './figure-panel.tsx';
import { timeAxis } from './time-axis.ts';
import type { Dashboard } from './use-dashboard.ts';

type Figure = Exclude<keyof LoadSeries['points'][number], 'at'>;

/** A line of a chart: the means of a figure, or its highest values. */
interface Line {
  readonly figure: Figure;
  readonly of: 'mean' | 'highest';
  readonly colour: string;
}

/** What a panel shows, and how it writes its values. */
interface LoadPanel {
  readonly title: keyof typeof text.figures.load.titles;
  readonly lines: readonly Line[];
  readonly show: (value: number) => string;
}

/** Work that waits shows in its highest values, and what is used up slowly in its means. */
const PANELS: readonly LoadPanel[] = [
  {
    title: 'machine',
    lines: [
      { figure: 'cpu_percent', of: 'mean', colour: '--hue-series' },
      { figure: 'memory_percent', of: 'mean', colour: '--hue-nlp' },
      { figure: 'disk_percent', of: 'mean', colour: '--hue-ml' },
    ],
    show: (value) => showPercent(value / 100),
  },
  {
    title: 'delay',
    lines: [{ figure: 'event_loop_delay', of: 'highest', colour: '--hue-audio' }],
    show: (seconds) => (seconds === 0 ? showNumber(0) : showDuration(seconds)),
  },
  {
    title: 'backlog',
    lines: [
      { figure: 'records_waiting', of: 'highest', colour: '--hue-vision' },
      { figure: 'spooled_batches', of: 'highest', colour: '--chart-bad' },
    ],
    show: showNumber,
  },
  {
    title: 'size',
    lines: [{ figure: 'database_bytes', of: 'highest', colour: '--hue-optimisation' }],
    show: showBytes,
  },
  {
    title: 'memory',
    lines: [{ figure: 'process_memory_bytes', of: 'highest', colour: '--hue-graph' }],
    show: showBytes,
  },
];

/** What the service and its machine bear. */
export function LoadPanels({ dashboard }: { readonly dashboard: Pick<Dashboard, 'time' | 'zoom'> }) {
  const { time, zoom } = dashboard;
  const asked = useQuery(loadQuery(time.query));
  return PANELS.map((panel) => (
    <OnePanel key={panel.title} panel={panel} asked={asked} zone={time.zone} zoom={zoom} />
  ));
}

function OnePanel(props: {
  readonly panel: LoadPanel;
  readonly asked: Asked<LoadSeries>;
  readonly zone: Zone;
  readonly zoom: Dashboard['zoom'];
}) {
  const { panel, asked, zone, zoom } = props;
  const chartOf = useCallback((series: LoadSeries) => loadChart(series, panel, zone), [panel, zone]);
  return (
    <ChartPanel
      title={text.figures.load.titles[panel.title]}
      file={`load-${panel.title}`}
      asked={asked}
      chartOf={chartOf}
      summaryOf={(series) => summaryOf(series, panel)}
      nothingIn={({ points }) =>
        points.every((point) => point[panel.lines[0]!.figure] === null)
          ? text.figures.load.nothing
          : undefined
      }
      zoom={zoom}
    />
  );
}

function loadChart({ points, bucket }: LoadSeries, { lines, show }: LoadPanel, zone: Zone): ChartData {
  return {
    ...timeAxis(points, bucket, zone),
    showY: show,
    series: lines.map(({ figure, of, colour }) => ({
      label: text.figures.load.names[figure],
      colour,
      values: points.map((point) => point[figure]?.[of] ?? null),
    })),
  };
}

/** The last value of each line. */
function summaryOf({ points }: LoadSeries, { lines, show }: LoadPanel): string {
  const values = lines.flatMap(({ figure, of }) => {
    const last = points.findLast((point) => point[figure] !== null)?.[figure];
    return last ? [text.figures.load.last(text.figures.load.names[figure], show(last[of]))] : [];
  });
  return text.figures.load.summary(values);
}
