import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Fault, NotFound, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import FramePlace from './frame-place.tsx';
import ModulePlace from './module-place.tsx';
import { pageListQuery, useWords, type PluginPage as Page } from './page-list.ts';
import { Panels } from './panels.tsx';

/** A page that a plugin adds. */
export function PluginPage() {
  const { plugin, page: id } = useParams({ from: '/pages/$plugin/$page' });
  const { data, error, refetch } = useQuery(pageListQuery);
  const page = data?.pages.find((each) => each.plugin === plugin && each.id === id);
  if (page) return <Shown key={`${plugin} ${id}`} page={page} />;
  if (data) return <NotFound />;
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  return <Skeleton style={{ height: 320 }} />;
}

function Shown({ page }: { readonly page: Page }) {
  const words = useWords();
  const title = words(page.title);
  useTitle(title);
  return (
    <>
      <div className="page-head">
        <h1>{title}</h1>
      </div>
      <Content page={page} title={title} />
    </>
  );
}

function Content({ page, title }: { readonly page: Page; readonly title: string }) {
  const { plugin, kind, file = '', operations = [], panels = [] } = page;
  switch (kind) {
    case 'panels':
      return <Panels panels={panels} />;
    case 'module':
      return <ModulePlace plugin={plugin} file={file} />;
    case 'frame':
      return <FramePlace plugin={plugin} file={file} title={title} operations={operations} />;
  }
}
