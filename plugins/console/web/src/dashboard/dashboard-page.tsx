import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { SignedIn } from '../account/signed-in.tsx';
import { performanceSeriesQuery, type CallSeries } from '../api/queries.ts';
import { useIsOn } from '../pages/page-list.ts';
import { Empty, isOff, SwitchedOff } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { text } from '../texts/text.ts';
import { CallFigures, CallPanels } from './call-panels.tsx';
import { CallersPanel } from './callers-panel.tsx';
import { DashboardBar } from './dashboard-bar.tsx';
import type { DashboardSearch } from './dashboard-search.ts';
import { ErrorsPanel } from './errors-panel.tsx';
import { LoadPanels } from './load-panels.tsx';
import { LoadingCards } from './loading-figures.tsx';
import { RefusalsPanel } from './refusals-panel.tsx';
import type { Asked } from './figure-panel.tsx';
import { useDashboard, type Dashboard } from './use-dashboard.ts';

/** How the whole service does, for administrators. */
export function DashboardPage() {
  useTitle(text.nav.dashboard);
  return (
    <>
      <div className="page-head">
        <h1>{text.nav.dashboard}</h1>
        <p className="quiet">{text.figures.dashboardIntro}</p>
      </div>
      <SignedIn>{({ role }) => (role === 'admin' ? <Whole /> : <Refusal />)}</SignedIn>
    </>
  );
}

function Whole() {
  const search = useSearch({ from: '/dashboard' });
  const navigate = useNavigate({ from: '/dashboard' });
  const change = useCallback(
    (part: DashboardSearch) => void navigate({ search: (before) => ({ ...before, ...part }) }),
    [navigate],
  );
  const dashboard = useDashboard(search, '24h', change);
  const series = useQuery(performanceSeriesQuery(dashboard.time.query));
  return (
    <div className="stack">
      <DashboardBar dashboard={dashboard} whose="" loadedAt={series.dataUpdatedAt} />
      {isOff(series.error) ? <SwitchedOff /> : <Panels series={series} dashboard={dashboard} />}
    </div>
  );
}

function Panels(props: { readonly series: Asked<CallSeries>; readonly dashboard: Dashboard }) {
  const { series, dashboard } = props;
  return (
    <>
      {series.data && <CallFigures total={series.data.total} />}
      {!series.data && !series.error && <LoadingCards />}
      <div className="chart-pair">
        <CallPanels asked={series} dashboard={dashboard} />
        <ErrorsPanel asked={series} dashboard={dashboard} />
        <CallersPanel query={dashboard.time.query} isLinked />
        <RefusalsPanel dashboard={dashboard} />
        <LoadPanels dashboard={dashboard} />
      </div>
    </>
  );
}

function Refusal() {
  const hasHistory = useIsOn()('history');
  return (
    <Empty
      icon="chart"
      title={text.figures.dashboardRefused}
      action={
        hasHistory && (
          <Link to="/statistics" className="button primary">
            {text.figures.title}
          </Link>
        )
      }
    >
      {text.figures.dashboardRefusedHint}
    </Empty>
  );
}
