import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { SignedIn } from '../account/signed-in.tsx';
import type { AlgorithmSearch } from '../addresses.ts';
import { ApiError } from '../api/client.ts';
import { performanceQuery, performanceSeriesQuery, type Algorithm, type Version } from '../api/queries.ts';
import { CallersPanel } from '../dashboard/callers-panel.tsx';
import { CallFigures, CallPanels, callsIn, FigureCards } from '../dashboard/call-panels.tsx';
import { DashboardBar } from '../dashboard/dashboard-bar.tsx';
import { ErrorsPanel } from '../dashboard/errors-panel.tsx';
import { LoadingFigures } from '../dashboard/loading-figures.tsx';
import { RefusalsPanel } from '../dashboard/refusals-panel.tsx';
import { useDashboard } from '../dashboard/use-dashboard.ts';
import { Segments } from '../parts/segments.tsx';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { showDuration, showNumber, showPercent, text } from '../texts/text.ts';

const VERSIONS = ['all', 'version'] as const;

interface PerformanceProps {
  readonly algorithm: Algorithm;
  readonly version: Version | undefined;
}

/** How the algorithm does for everybody: charts for those who manage it, and figures for every account. */
export function PerformanceTab(props: PerformanceProps) {
  return <SignedIn>{() => <Performance {...props} />}</SignedIn>;
}

function Performance({ algorithm, version }: PerformanceProps) {
  const search = useSearch({ from: '/algorithms/$algorithmId' });
  const navigate = useNavigate({ from: '/algorithms/$algorithmId' });
  const change = useCallback(
    (part: Partial<AlgorithmSearch>) => void navigate({ search: (before) => ({ ...before, ...part }) }),
    [navigate],
  );
  const dashboard = useDashboard(search, '30d', change);
  const { time, refresh } = dashboard;
  const isOfVersion = search.only === 'version' && version !== undefined;
  const scope = { algorithm_id: algorithm.id, ...(isOfVersion && { version_id: version.id }) };
  const series = useQuery(performanceSeriesQuery({ ...time.query, ...scope }));
  const { data, error } = series;
  if (error instanceof ApiError && error.status === 403) return <Figures algorithm={algorithm} />;
  const isEmpty = data !== undefined && callsIn(data.total) === 0;
  return (
    <>
      <DashboardBar
        dashboard={dashboard}
        whose={`algorithm_id=${algorithm.id}`}
        loadedAt={series.dataUpdatedAt}
      >
        {version && algorithm.versions.length > 1 && (
          <Segments
            label={text.figures.versions}
            options={VERSIONS}
            chosen={isOfVersion ? 'version' : 'all'}
            choose={(which) => change({ only: which === 'version' ? which : undefined })}
            nameOf={(which) =>
              which === 'version' ? text.figures.onlyVersion(version.version) : text.figures.allVersions
            }
          />
        )}
      </DashboardBar>
      {error && !data && <Fault error={error} retry={refresh} />}
      {!data && !error && <LoadingFigures />}
      {isEmpty && (
        <Empty icon="clock" title={text.figures.emptyTitle} action={<ToPlayground algorithm={algorithm} />}>
          {text.figures.emptyAlgorithm}
        </Empty>
      )}
      {data && !isEmpty && (
        <div className="stack">
          <CallFigures total={data.total} />
          <div className="chart-pair">
            <CallPanels asked={series} dashboard={dashboard} />
            <ErrorsPanel asked={series} dashboard={dashboard} />
            <CallersPanel query={{ ...time.query, ...scope }} />
            {!isOfVersion && <RefusalsPanel dashboard={dashboard} algorithmId={algorithm.id} />}
          </div>
        </div>
      )}
    </>
  );
}

function ToPlayground({ algorithm }: { readonly algorithm: Algorithm }) {
  return (
    <Link to="/algorithms/$algorithmId" params={{ algorithmId: algorithm.id }} className="button primary">
      {text.algorithm.open}
    </Link>
  );
}

const DAYS = 30;

/** What every account may see. */
function Figures({ algorithm }: { readonly algorithm: Algorithm }) {
  const { data, error, refetch } = useQuery(performanceQuery(algorithm.id, DAYS));
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  const figures =
    data &&
    ([
      [text.figures.calls, showNumber(data.total_calls)],
      [text.figures.succeeded, data.total_calls > 0 ? showPercent(data.success_rate / 100) : '–'],
      [text.figures.mean, data.total_calls > 0 ? showDuration(data.average_response_time) : '–'],
    ] as const);
  return (
    <div className="stack">
      <h2>{text.figures.lastDays(DAYS)}</h2>
      {figures ? <FigureCards figures={figures} /> : <Skeleton style={{ height: 84, borderRadius: 14 }} />}
      <p className="notice">{text.figures.forManagers}</p>
    </div>
  );
}
