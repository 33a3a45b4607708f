import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Fault, SwitchedOff } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { WithCode } from '../../parts/with-code.tsx';
import { adminText, showNumber, text } from '../../texts/text.ts';
import { pluginsQuery, type Plugin } from '../queries.ts';
import { JobTable } from './job-table.tsx';
import { PluginState } from './plugin-state.tsx';

/** The plugins of the installation, and what they do on a schedule. */
export function PluginsPage() {
  const words = adminText.plugins;
  useTitle(text.sections.plugins);
  const { data, error, refetch } = useQuery(pluginsQuery);
  if (data === null) return <SwitchedOff isScreen />;
  return (
    <>
      <div className="page-head">
        <h1>{text.sections.plugins}</h1>
        <p className="quiet">{words.intro}</p>
      </div>
      {error ? (
        <Fault error={error} retry={() => void refetch()} />
      ) : (
        <ListTable label={text.sections.plugins} columns={columns()} rows={data} keyOf={({ id }) => id} />
      )}
      <section className="stack tight" aria-labelledby="jobs">
        <h2 id="jobs">{words.jobs}</h2>
        <JobTable />
      </section>
    </>
  );
}

function columns(): readonly Column<Plugin>[] {
  const words = adminText.plugins;
  return [
    {
      label: words.plugin,
      kind: 'main',
      cell: ({ id, summary }) => (
        <>
          <Link to="/administration/plugins/$pluginId" params={{ pluginId: id }}>
            {id}
          </Link>
          <small className="quiet">
            <WithCode text={summary ?? ''} />
          </small>
        </>
      ),
    },
    { label: text.history.status, kind: 'bare', cell: (plugin) => <PluginState plugin={plugin} /> },
    { label: text.algorithm.version, cell: ({ version }) => version ?? '–' },
    { label: words.origin, cell: ({ origin }) => words.origins[origin] },
    { label: words.operations, kind: 'number', cell: ({ routes }) => showNumber(routes.length) },
  ];
}
