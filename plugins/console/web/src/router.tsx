import type { QueryClient } from '@tanstack/react-query';
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import {
  readAlgorithmSearch,
  readHistorySearch,
  readKeysSearch,
  readNext,
  readRecordSearch,
} from './addresses.ts';
import { administration } from './administration/routes.ts';
import { algorithmQuery, meQuery, registrationQuery } from './api/queries.ts';
import { CataloguePage } from './catalogue/catalogue-page.tsx';
import { readCatalogueSearch } from './catalogue/catalogue-search.ts';
import { readDashboardSearch } from './dashboard/dashboard-search.ts';
import { part } from './part.ts';
import { Fault } from './parts/states.tsx';
import { useTitle } from './parts/title.ts';
import { rootPath } from './place.ts';
import { root } from './root.ts';
import { stringifySearch } from './search-params.ts';
import { text } from './texts/text.ts';

const catalogue = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readCatalogueSearch,
  // The way to the first administrator stands above the list, which would jump if that came later.
  loader: ({ context: { queries } }) =>
    Promise.allSettled([
      queries.ensureQueryData({ ...meQuery, retry: false }),
      queries.ensureQueryData({ ...registrationQuery, retry: false }),
    ]),
  component: CataloguePage,
});

const algorithm = createRoute({
  getParentRoute: () => root,
  path: '/algorithms/$algorithmId',
  validateSearch: readAlgorithmSearch,
  loader: ({ context, params }) => void context.queries.prefetchQuery(algorithmQuery(params.algorithmId)),
  component: lazyRouteComponent(() => part(() => import('./algorithm/algorithm-page.tsx')), 'AlgorithmPage'),
});

const call = createRoute({
  getParentRoute: () => root,
  path: '/calls/$callId',
  validateSearch: readRecordSearch,
  component: lazyRouteComponent(() => part(() => import('./calls/call-page.tsx')), 'CallPage'),
});

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => part(() => import('./calls/history-page.tsx')), 'HistoryPage'),
});

const statistics = createRoute({
  getParentRoute: () => root,
  path: '/statistics',
  validateSearch: readDashboardSearch,
  component: lazyRouteComponent(
    () => part(() => import('./statistics/statistics-page.tsx')),
    'StatisticsPage',
  ),
});

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  validateSearch: readDashboardSearch,
  component: lazyRouteComponent(() => part(() => import('./dashboard/dashboard-page.tsx')), 'DashboardPage'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: readKeysSearch,
  component: lazyRouteComponent(() => part(() => import('./keys/keys-page.tsx')), 'KeysPage'),
});

const signInPages = () => part(() => import('./account/sign-in-pages.tsx'));

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => part(() => import('./account/account-page.tsx')), 'AccountPage'),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readNext,
  component: lazyRouteComponent(signInPages, 'SignInPage'),
});

const signInByProvider = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/$providerId',
  component: lazyRouteComponent(() => part(() => import('./account/provider-page.tsx')), 'ProviderPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: readNext,
  component: lazyRouteComponent(signInPages, 'RegisterPage'),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazyRouteComponent(() => part(() => import('./account/reset-page.tsx')), 'ResetPage'),
});

const pluginPage = createRoute({
  getParentRoute: () => root,
  path: '/pages/$plugin/$page',
  component: lazyRouteComponent(() => part(() => import('./pages/plugin-page.tsx')), 'PluginPage'),
});

function Broken({ error }: ErrorComponentProps) {
  useTitle(text.errors.brokenTitle);
  return (
    <main>
      <h1>{text.errors.brokenTitle}</h1>
      <p>{text.errors.broken}</p>
      <Fault error={error} retry={() => location.reload()} />
    </main>
  );
}

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      catalogue,
      algorithm,
      call,
      history,
      statistics,
      dashboard,
      keys,
      account,
      signIn,
      signInByProvider,
      register,
      reset,
      pluginPage,
      administration,
    ]),
    basepath: rootPath,
    context: { queries },
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: Broken,
  });
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Tells who signs out whether it was this step that led away. */
    readonly leaving?: number;
  }
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
