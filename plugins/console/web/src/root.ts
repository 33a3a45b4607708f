import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { NotFound } from './parts/states.tsx';
import { Shell } from './shell/shell.tsx';

/** What is around every screen. */
export const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Shell,
  notFoundComponent: NotFound,
});
