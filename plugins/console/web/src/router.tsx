import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { algorithmQuery } from './api/queries.ts';
import { CataloguePage } from './catalogue/catalogue-page.tsx';
import { readCatalogueSearch } from './catalogue/catalogue-search.ts';
import { Fault, NotFound } from './parts/states.tsx';
import { rootPath } from './place.ts';
import { Shell } from './shell.tsx';
import { text } from './texts/text.ts';

const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Shell,
  notFoundComponent: NotFound,
});

const textIn = (search: Record<string, unknown>, name: string): string | undefined => {
  const value = search[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const catalogue = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: readCatalogueSearch,
  component: CataloguePage,
});

const TABS = ['about', 'api', 'versions'] as const;
export type Tab = (typeof TABS)[number];

interface AlgorithmSearch {
  /** The playground where it is absent. */
  readonly tab?: Tab | undefined;
  /** The default version where it is absent. */
  readonly version?: string | undefined;
  /** A call whose input is entered at first. */
  readonly call?: string | undefined;
}

const algorithm = createRoute({
  getParentRoute: () => root,
  path: '/algorithms/$algorithmId',
  validateSearch: (search: Record<string, unknown>): AlgorithmSearch => ({
    tab: TABS.find((tab) => tab === search['tab']),
    version: textIn(search, 'version'),
    call: textIn(search, 'call'),
  }),
  loader: ({ context, params }) => void context.queries.prefetchQuery(algorithmQuery(params.algorithmId)),
  component: lazyRouteComponent(() => import('./algorithm/algorithm-page.tsx'), 'AlgorithmPage'),
});

const call = createRoute({
  getParentRoute: () => root,
  path: '/calls/$callId',
  component: lazyRouteComponent(() => import('./calls/call-page.tsx'), 'CallPage'),
});

export interface HistorySearch {
  readonly status?: string | undefined;
  readonly algorithm?: string | undefined;
  readonly cursor?: string | undefined;
}

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: (search: Record<string, unknown>): HistorySearch => ({
    status: textIn(search, 'status'),
    algorithm: textIn(search, 'algorithm'),
    cursor: textIn(search, 'cursor'),
  }),
  component: lazyRouteComponent(() => import('./calls/history-page.tsx'), 'HistoryPage'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys/keys-page.tsx'), 'KeysPage'),
});

const accountPages = () => import('./account/account-pages.tsx');

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(accountPages, 'AccountPage'),
});

/** Where to go afterwards: a path of the console, never an address elsewhere. */
const readNext = (search: Record<string, unknown>): { readonly next?: string | undefined } => {
  const next = textIn(search, 'next');
  return { next: next && /^\/(?![/\\])/.test(next) ? next : undefined };
};

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readNext,
  component: lazyRouteComponent(accountPages, 'SignInPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  validateSearch: readNext,
  component: lazyRouteComponent(accountPages, 'RegisterPage'),
});

function Broken({ error }: ErrorComponentProps) {
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
    routeTree: root.addChildren([catalogue, algorithm, call, history, keys, account, signIn, register]),
    basepath: rootPath,
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: Broken,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
