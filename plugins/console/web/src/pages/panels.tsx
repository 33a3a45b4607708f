import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { part } from '../part.ts';
import { ProblemFacts, Retry, Skeleton } from '../parts/states.tsx';
import { showProblem, text } from '../texts/text.ts';
import { useWords, type Panel } from './page-list.ts';
import { FigurePanel, SeriesPanel, TablePanel } from './panel-content.tsx';
import { request } from './request.ts';

const Markdown = lazy(() => part(() => import('../parts/markdown.tsx')));

const REFRESH_MS = 30_000;

/** A page that needs no code of its plugin: each panel loads, stays empty and fails by itself. */
export function Panels({ panels }: { readonly panels: readonly Panel[] }) {
  return (
    <div className="panels">
      {panels.map((panel, index) => (
        <PanelCard key={index} panel={panel} />
      ))}
    </div>
  );
}

function PanelCard({ panel }: { readonly panel: Panel }) {
  const words = useWords();
  const title = panel.title && words(panel.title);
  return (
    <section className={panel.kind === 'figure' ? 'card figure' : 'card'} aria-label={title}>
      {title && (
        <header>
          <h2>{title}</h2>
        </header>
      )}
      <div className="body">
        {panel.kind === 'markdown' ? (
          <Suspense fallback={<Skeleton style={{ height: 80 }} />}>
            <Markdown source={words(panel.text ?? {})} below={title ? 2 : 1} />
          </Suspense>
        ) : (
          <Loaded panel={panel} />
        )}
      </div>
    </section>
  );
}

function Loaded({ panel }: { readonly panel: Panel }): ReactNode {
  const { kind, from = '', query } = panel;
  const { data, error, isPending, refetch } = useQuery({
    // Panels of one page that read the same operation share its answer.
    queryKey: ['pages', from, query],
    queryFn: ({ signal }) => request('GET', from, { query: query as Record<string, string>, signal }),
    refetchInterval: REFRESH_MS,
  });
  if (error && data === undefined) return <PanelFault error={error} retry={() => void refetch()} />;
  if (isPending) return <Skeleton style={{ height: kind === 'figure' ? 40 : 160 }} />;
  if (kind === 'figure') return <FigurePanel panel={panel} answer={data} />;
  return kind === 'table' ? (
    <TablePanel panel={panel} answer={data} />
  ) : (
    <SeriesPanel panel={panel} answer={data} />
  );
}

function PanelFault({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  const isRefused = error instanceof ApiError;
  return (
    <div className="notice bad" role="alert">
      <h3>{isRefused ? showProblem(error.code, text.errors.title) : text.errors.offlineTitle}</h3>
      <p>{isRefused ? error.message : text.errors.offline}</p>
      {isRefused && <ProblemFacts error={error} />}
      <Retry after={isRefused ? error.retryAfter : undefined} retry={retry} />
    </div>
  );
}
