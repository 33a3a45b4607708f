import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SearchField } from '../../parts/search-field.tsx';
import { Empty, Fault } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, text } from '../../texts/text.ts';
import { settingsQuery, type Setting } from '../queries.ts';
import { SettingTable } from './setting-table.tsx';

/** All settings in effect. */
export function SettingsPage() {
  const words = adminText.settings;
  useTitle(text.sections.settings);
  const { q, changed } = useSearch({ from: '/administration/settings' });
  const navigate = useNavigate({ from: '/administration/settings' });
  const { data, error, refetch } = useQuery(settingsQuery);
  const shown = data?.filter((setting) => fits(setting, q) && (setting.changed || !changed));
  return (
    <>
      <div className="page-head">
        <h1>{text.sections.settings}</h1>
        <p className="quiet">{words.intro}</p>
      </div>
      <div className="list-filters">
        <SearchField
          q={q}
          label={words.search}
          change={(wanted) =>
            void navigate({
              search: (before) => ({ ...before, q: wanted }),
              replace: true,
              resetScroll: false,
            })
          }
        />
        <label className="row">
          <input
            type="checkbox"
            checked={changed === true}
            onChange={({ target }) =>
              void navigate({
                search: (before) => ({ ...before, changed: target.checked ? true : undefined }),
                resetScroll: false,
              })
            }
          />
          {words.onlyChanged}
        </label>
      </div>
      {error && <Fault error={error} retry={() => void refetch()} />}
      <p className="small quiet" role="status">
        {shown && words.count(shown.length)}
      </p>
      {shown?.length === 0 && (
        <Empty
          icon="search"
          title={text.catalogue.nothingTitle}
          action={
            <button type="button" className="button" onClick={() => void navigate({ search: {} })}>
              {text.history.clear}
            </button>
          }
        >
          {text.history.nothing}
        </Empty>
      )}
      {!error && shown?.length !== 0 && <SettingTable settings={shown} />}
    </>
  );
}

function fits({ section, key, env, description }: Setting, q = ''): boolean {
  return `${section}.${key} ${env} ${description}`.toLowerCase().includes(q.toLowerCase());
}
