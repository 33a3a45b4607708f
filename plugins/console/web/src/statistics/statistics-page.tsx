import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { SignedIn } from '../account/signed-in.tsx';
import { calledAlgorithmsQuery, callSeriesQuery, type CalledAlgorithm, type User } from '../api/queries.ts';
import { useAlgorithmNames } from '../calls/algorithm-names.ts';
import { CallFigures, CallPanels, callsIn } from '../dashboard/call-panels.tsx';
import { DashboardBar } from '../dashboard/dashboard-bar.tsx';
import type { DashboardSearch } from '../dashboard/dashboard-search.ts';
import { ErrorsPanel } from '../dashboard/errors-panel.tsx';
import { FigurePanel } from '../dashboard/figure-panel.tsx';
import { LoadingFigures } from '../dashboard/loading-figures.tsx';
import { shareRows, ShareTable, type ShareRow } from '../dashboard/share-table.tsx';
import { useDashboard } from '../dashboard/use-dashboard.ts';
import { NoCallsYet, RunsPanel } from '../examples/run-all-panel.tsx';
import { Empty, Fault, ToCatalogue } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { minuteOf, type Span } from '../periods/period.ts';
import { text } from '../texts/text.ts';

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
  const change = useCallback(
    (part: DashboardSearch) => void navigate({ search: (before) => ({ ...before, ...part }) }),
    [navigate],
  );
  const dashboard = useDashboard(search, '30d', change);
  const { time, refresh } = dashboard;
  // Without an account in the query, administrators get the calls of all accounts.
  const series = useQuery(callSeriesQuery({ ...time.query, user_id: me.id }));
  const { data, error } = series;
  const isEmpty = data !== undefined && callsIn(data.total) === 0;
  return (
    <>
      <RunsPanel />
      <DashboardBar dashboard={dashboard} whose="whose=own" loadedAt={series.dataUpdatedAt} />
      {error && !data && <Fault error={error} retry={refresh} />}
      {!data && !error && <LoadingFigures />}
      {isEmpty && <Nothing />}
      {data && !isEmpty && (
        <div className="stack">
          <CallFigures total={data.total} />
          <div className="chart-pair">
            <CallPanels asked={series} dashboard={dashboard} />
            <ErrorsPanel asked={series} dashboard={dashboard} />
            <ByAlgorithm span={time.span} />
          </div>
          <Link
            to="/history"
            search={{
              from: minuteOf(Date.parse(data.start)),
              ...(!time.span.isOpen && { to: minuteOf(Date.parse(data.end)) }),
            }}
          >
            {text.figures.toHistory}
          </Link>
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

/** What was called on the days of a time. */
function ByAlgorithm({ span }: { readonly span: Span }) {
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const asked = useQuery(calledAlgorithmsQuery({ start_date: day(span.from), end_date: day(span.to - 1) }));
  const names = useAlgorithmNames((asked.data?.algorithms ?? []).map(({ algorithm_id }) => algorithm_id));
  const rowOf = ({
    algorithm_id,
    total_calls,
    success_rate,
    avg_response_time,
  }: CalledAlgorithm): ShareRow => ({
    id: algorithm_id,
    name: names.get(algorithm_id) ?? '…',
    calls: total_calls,
    succeeded: success_rate / 100,
    mean: avg_response_time,
  });
  return (
    <FigurePanel
      title={text.figures.byAlgorithm}
      file="calls-by-algorithm"
      asked={asked}
      rowsOf={({ algorithms }) => shareRows(text.history.algorithm, algorithms.map(rowOf))}
    >
      {({ algorithms }) => (
        <ShareTable
          of={text.history.algorithm}
          rows={algorithms.map(rowOf)}
          nameOf={({ id, name }) => (
            <Link to="/algorithms/$algorithmId" params={{ algorithmId: id }} search={{ tab: 'history' }}>
              {name}
            </Link>
          )}
        />
      )}
    </FigurePanel>
  );
}
