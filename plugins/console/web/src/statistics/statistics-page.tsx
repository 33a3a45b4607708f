import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { SignedIn } from '../account/signed-in.tsx';
import { calledAlgorithmsQuery, callSeriesQuery, type CalledAlgorithm, type User } from '../api/queries.ts';
import { useAlgorithmNames } from '../calls/algorithm-names.ts';
import { NoCallsYet, RunsPanel } from '../examples/run-all-panel.tsx';
import { daysOf } from '../periods/period.ts';
import { Empty, Fault, Skeleton, ToCatalogue } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { showDuration, showNumber, showPercent, text } from '../texts/text.ts';
import { CallCharts, CallFigures } from './call-charts.tsx';
import { FiguresBar } from './figures-bar.tsx';
import { seriesQueryOf } from './figures-search.ts';
import { LoadingFigures } from './loading-figures.tsx';

export function StatisticsPage() {
  useTitle(text.figures.title);
  return (
    <>
      <div className="page-head">
        <h1>{text.figures.title}</h1>
        <p className="quiet">{text.figures.intro}</p>
      </div>
      <SignedIn>{(me) => <Statistics me={me} />}</SignedIn>
    </>
  );
}

function Statistics({ me }: { readonly me: User }) {
  const search = useSearch({ from: '/statistics' });
  const navigate = useNavigate({ from: '/statistics' });
  // Without an account in the query, administrators get the calls of all accounts.
  const series = useQuery(callSeriesQuery({ ...seriesQueryOf(search), user_id: me.id }));
  const algorithms = useQuery(calledAlgorithmsQuery(daysOf(search)));
  const { data, error } = series;
  const refresh = (): void => void Promise.all([series.refetch(), algorithms.refetch()]);
  const isEmpty = data && data.points.every(({ success, failed }) => success + failed === 0);
  return (
    <>
      <RunsPanel />
      <FiguresBar
        search={search}
        change={(part) => void navigate({ search: (before) => ({ ...before, ...part }) })}
        updatedAt={series.dataUpdatedAt}
        refresh={refresh}
      />
      {error && <Fault error={error} retry={refresh} />}
      {!data && !error && <LoadingFigures />}
      {isEmpty && <Nothing />}
      {data && !isEmpty && (
        <div className={series.isPlaceholderData ? 'stack is-stale' : 'stack'}>
          <CallFigures total={data.total} />
          <CallCharts series={data} />
          <section className="card">
            <header>
              <h2>{text.figures.byAlgorithm}</h2>
              <Link to="/history" search={{ range: search.range, from: search.from, to: search.to }}>
                {text.figures.toHistory}
              </Link>
            </header>
            {algorithms.data ? (
              <ByAlgorithm algorithms={algorithms.data.algorithms} />
            ) : (
              <Skeleton style={{ height: 220 }} />
            )}
          </section>
        </div>
      )}
    </>
  );
}

/** Where nothing was ever called, a longer time would not help. */
function Nothing() {
  const { data: ever } = useQuery(calledAlgorithmsQuery({}));
  if (!ever) return null;
  if (ever.algorithms.length === 0) return <NoCallsYet>{text.figures.emptyNew}</NoCallsYet>;
  return (
    <Empty icon="clock" title={text.figures.emptyTitle} action={<ToCatalogue />}>
      {text.figures.empty}
    </Empty>
  );
}

function ByAlgorithm({ algorithms }: { readonly algorithms: readonly CalledAlgorithm[] }) {
  const most = Math.max(...algorithms.map(({ total_calls }) => total_calls));
  const names = useAlgorithmNames(algorithms.map(({ algorithm_id }) => algorithm_id));
  return (
    <div className="table-scroll by-algorithm">
      <table>
        <thead>
          <tr>
            <th>{text.history.algorithm}</th>
            <th className="number">{text.figures.calls}</th>
            <th className="share" aria-hidden="true" />
            <th className="number">{text.figures.succeeded}</th>
            <th className="number">{text.figures.mean}</th>
          </tr>
        </thead>
        <tbody>
          {algorithms.map(({ algorithm_id: id, total_calls, success_rate, avg_response_time }) => (
            <tr key={id}>
              <td>
                <Link to="/algorithms/$algorithmId" params={{ algorithmId: id }} search={{ tab: 'history' }}>
                  {names.get(id) ?? '…'}
                </Link>
              </td>
              <td className="number">{showNumber(total_calls)}</td>
              <td className="share" aria-hidden="true">
                <i style={{ width: `${(100 * total_calls) / most}%` }} />
              </td>
              <td className="number">{showPercent(success_rate / 100)}</td>
              <td className="number">{showDuration(avg_response_time)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
