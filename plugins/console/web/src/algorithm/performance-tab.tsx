import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SignedIn } from '../account/signed-in.tsx';
import { ApiError } from '../api/client.ts';
import { performanceQuery, performanceSeriesQuery, type Algorithm, type Version } from '../api/queries.ts';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { CallCharts, CallFigures, FigureCards } from '../statistics/call-charts.tsx';
import { FiguresBar } from '../statistics/figures-bar.tsx';
import { seriesQueryOf } from '../statistics/figures-search.ts';
import { LoadingFigures } from '../statistics/loading-figures.tsx';
import { Segments } from '../parts/segments.tsx';
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
  const isOfVersion = search.only === 'version' && version !== undefined;
  const { data, error, refetch, dataUpdatedAt, isPlaceholderData } = useQuery(
    performanceSeriesQuery({
      ...seriesQueryOf(search),
      algorithm_id: algorithm.id,
      ...(isOfVersion && { version_id: version.id }),
    }),
  );
  if (error instanceof ApiError && error.status === 403) return <Figures algorithm={algorithm} />;
  const isEmpty = data && data.points.every(({ success, failed }) => success + failed === 0);
  const choose = (only: 'version' | undefined): void =>
    void navigate({ search: (before) => ({ ...before, only }) });
  return (
    <>
      <FiguresBar
        search={search}
        change={(part) => void navigate({ search: (before) => ({ ...before, ...part }) })}
        updatedAt={dataUpdatedAt}
        refresh={() => void refetch()}
      >
        {version && algorithm.versions.length > 1 && (
          <Segments
            label={text.figures.versions}
            options={VERSIONS}
            chosen={isOfVersion ? 'version' : 'all'}
            choose={(which) => choose(which === 'version' ? which : undefined)}
            nameOf={(which) =>
              which === 'version' ? text.figures.onlyVersion(version.version) : text.figures.allVersions
            }
          />
        )}
      </FiguresBar>
      {error && <Fault error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingFigures />}
      {isEmpty && (
        <Empty icon="clock" title={text.figures.emptyTitle} action={<ToPlayground algorithm={algorithm} />}>
          {text.figures.emptyAlgorithm}
        </Empty>
      )}
      {data && !isEmpty && (
        <div className={isPlaceholderData ? 'stack is-stale' : 'stack'}>
          <CallFigures total={data.total} />
          <CallCharts series={data} />
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
