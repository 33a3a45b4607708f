import { lazy, Suspense, useMemo } from 'react';
import { part } from '../part.ts';
import { Skeleton } from '../parts/states.tsx';
import { useWords, type PluginView } from './page-list.ts';
import type { Shown } from './shown.ts';

const ModulePlace = lazy(() => part(() => import('./module-place.tsx')));
const FramePlace = lazy(() => part(() => import('./frame-place.tsx')));

/** A part of a result, shown by a plugin. */
export function ViewPlace({ view, ...shown }: Shown & { readonly view: PluginView }) {
  const words = useWords();
  const { value, schema, input } = shown;
  const given = useMemo(() => ({ value, schema, input }), [value, schema, input]);
  const { plugin, file, kind, operations } = view;
  return (
    <Suspense fallback={<Skeleton style={{ height: 160 }} />}>
      {kind === 'module' ? (
        <ModulePlace key={file} plugin={plugin} file={file} shown={given} />
      ) : (
        <FramePlace
          key={file}
          plugin={plugin}
          file={file}
          title={words(view.title)}
          operations={operations}
          shown={given}
        />
      )}
    </Suspense>
  );
}
