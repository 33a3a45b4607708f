import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { Fault, NotFound, Skeleton } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { WithCode } from '../../parts/with-code.tsx';
import { rootPath } from '../../place.ts';
import { adminText, text } from '../../texts/text.ts';
import { pluginsQuery, settingsQuery, type Plugin } from '../queries.ts';
import { JobTable } from './job-table.tsx';
import { PluginState } from './plugin-state.tsx';
import { SettingTable } from './setting-table.tsx';

/** A plugin: its state, what it serves, how it is set, and what it does on a schedule. */
export function PluginPage() {
  const { pluginId } = useParams({ from: '/administration/plugins/$pluginId' });
  const { data, error, refetch } = useQuery(pluginsQuery);
  useTitle(pluginId);
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton style={{ height: 420, borderRadius: 14 }} />;
  const plugin = data?.find(({ id }) => id === pluginId);
  if (!plugin) return <NotFound />;
  return (
    <>
      <div className="page-head">
        <p className="crumbs">
          <Link to="/administration/plugins">← {text.sections.plugins}</Link>
        </p>
        <div className="row">
          <h1>{plugin.id}</h1>
          <PluginState plugin={plugin} />
        </div>
        {plugin.summary && (
          <p className="quiet">
            <WithCode text={plugin.summary} />
          </p>
        )}
      </div>
      {plugin.left_out_because && <p className="notice bad">{plugin.left_out_because}</p>}
      <Facts plugin={plugin} />
      {plugin.state === 'on' && <AtWork plugin={plugin} />}
    </>
  );
}

function AtWork({ plugin: { id, routes } }: { readonly plugin: Plugin }) {
  const words = adminText.plugins;
  return (
    <>
      <Part id="settings" title={text.sections.settings}>
        <Settings plugin={id} />
      </Part>
      <Part id="jobs" title={words.jobs}>
        <JobTable plugin={id} />
      </Part>
      {routes.length > 0 && (
        <Part id="operations" title={words.operations}>
          <ul className="card operations">
            {routes.map((route) => (
              <li key={route}>
                <code>{route}</code>
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

function Part(props: { readonly id: string; readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="stack tight" aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      {props.children}
    </section>
  );
}

function Settings({ plugin }: { readonly plugin: string }) {
  const { data, error, refetch } = useQuery(settingsQuery);
  const own = data?.filter(({ section }) => section === plugin);
  if (error) return <Fault error={error} retry={() => void refetch()} />;
  if (own?.length === 0) return <p className="quiet">{adminText.settings.none}</p>;
  return <SettingTable settings={own} />;
}

function Facts({ plugin }: { readonly plugin: Plugin }) {
  const words = adminText.plugins;
  const { version, origin, requires, addresses } = plugin;
  return (
    <section className="card">
      <dl className="body facts">
        <dt>{text.algorithm.version}</dt>
        <dd>{version ?? '–'}</dd>
        <dt>{words.origin}</dt>
        <dd>{words.origins[origin]}</dd>
        {requires.length > 0 && (
          <>
            <dt>{words.requires}</dt>
            <dd>
              {requires.map((id, i) => (
                <Fragment key={id}>
                  {i > 0 && ', '}
                  <Link to="/administration/plugins/$pluginId" params={{ pluginId: id }}>
                    {id}
                  </Link>
                </Fragment>
              ))}
            </dd>
          </>
        )}
        {addresses.length > 0 && (
          <>
            <dt>{words.pages}</dt>
            <dd>
              {addresses.map((page, i) => (
                <Fragment key={page}>
                  {i > 0 && ', '}
                  <PageLink path={page} />
                </Fragment>
              ))}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** An address with a part to fill in leads nowhere. */
function PageLink({ path }: { readonly path: string }) {
  return path.includes('{') ? <code>{path}</code> : <a href={rootPath + path.slice(1)}>{path}</a>;
}
