import { ListTable, type Column } from '../../parts/list-table.tsx';
import { WithCode } from '../../parts/with-code.tsx';
import { adminText } from '../../texts/text.ts';
import type { Setting } from '../queries.ts';
import { showSetting } from './setting-value.ts';

/** Settings in effect, each with where its value comes from. */
export function SettingTable({ settings }: { readonly settings: readonly Setting[] | undefined }) {
  return (
    <ListTable
      className="settings"
      label={adminText.settings.title}
      columns={columns()}
      rows={settings}
      keyOf={({ section, key }) => `${section}.${key}`}
    />
  );
}

function columns(): readonly Column<Setting>[] {
  const words = adminText.settings;
  return [
    {
      label: words.setting,
      kind: 'main',
      cell: ({ section, key, description }) => (
        <>
          <strong>{`${section}.${key}`}</strong>
          <small className="quiet">
            <WithCode text={description} />
          </small>
        </>
      ),
    },
    { label: words.value, kind: 'long', cell: ({ value }) => <code>{showSetting(value)}</code> },
    {
      label: words.from,
      cell: ({ source, changed }) => (
        <>
          {source === 'default' ? words.byDefault : <code>{source}</code>}
          {changed && <span className="badge warn">{words.isChanged}</span>}
        </>
      ),
    },
    { label: words.variable, cell: ({ env }) => <code>{env}</code> },
  ];
}
