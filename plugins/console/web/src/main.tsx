import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/client.ts';
import { createConsoleRouter } from './router.tsx';
import { loadLanguage } from './texts/text.ts';
import { applyTheme } from './theme.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // What the service refuses it would refuse again; only one that was away may be back.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
});
const router = createConsoleRouter(queries);

async function start(): Promise<void> {
  applyTheme();
  await loadLanguage();
  createRoot(document.querySelector('#app')!).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
