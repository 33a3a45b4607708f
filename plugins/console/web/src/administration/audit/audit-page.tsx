import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CursorPager } from '../../parts/cursor-pager.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { ListTable } from '../../parts/list-table.tsx';
import { Empty } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { momentsOf } from '../../periods/period.ts';
import { adminText, text } from '../../texts/text.ts';
import type { AuditSearch } from '../addresses.ts';
import { ListOf } from '../list-of.tsx';
import { auditQuery, PAGE_SIZE } from '../queries.ts';
import { AuditFilters } from './audit-filters.tsx';
import { auditColumns } from './audit-columns.tsx';
import { EntryPanel } from './entry-panel.tsx';

/** Who changed what, and who signed in. */
export function AuditPage() {
  const words = adminText.audit;
  useTitle(text.sections.audit);
  const search = useSearch({ from: '/administration/audit' });
  const navigate = useNavigate({ from: '/administration/audit' });
  const { cursor, open, ...filters } = search;
  const query = filtersOf(filters);
  const found = useQuery(auditQuery({ ...query, limit: PAGE_SIZE, ...(cursor && { cursor }) }));
  const go = (part: AuditSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...part }), resetScroll: 'cursor' in part });
  const rows = found.data?.rows ?? [];
  const entry = rows.find(({ id }) => id === open);
  return (
    <>
      <div className="page-head">
        <h1>{text.sections.audit}</h1>
        <p className="quiet">{words.intro}</p>
      </div>
      <div className="row between">
        <AuditFilters
          search={search}
          change={(part) =>
            void navigate({
              search: (before) => ({ ...before, ...part, cursor: undefined, open: undefined }),
              resetScroll: false,
            })
          }
        />
        {rows.length > 0 && <ExportMenu path="/audit/export" filters={query} />}
      </div>
      <ListOf
        found={found}
        count={words.count}
        empty={
          <Empty icon="clock" title={words.emptyTitle}>
            {words.empty}
          </Empty>
        }
        isFiltered={Object.values(search).some((value) => value !== undefined)}
        pager={
          <CursorPager cursor={cursor} next={found.data?.next ?? null} go={(to) => go({ cursor: to })} />
        }
      >
        {(shown) => (
          <ListTable
            label={text.sections.audit}
            columns={auditColumns((id) => go({ open: id }))}
            rows={shown}
            keyOf={({ id }) => id}
          />
        )}
      </ListOf>
      {entry && (
        <EntryPanel
          entry={entry}
          ids={rows.map(({ id }) => id)}
          open={(id) => go({ open: id })}
          close={() => go({ open: undefined })}
        />
      )}
    </>
  );
}

/** What the API is asked for. */
function filtersOf(search: AuditSearch) {
  const { actor, action, kind, target, outcome } = search;
  return {
    ...momentsOf(search),
    ...(actor && { actor }),
    ...(action && { action }),
    ...(kind && { target_kind: kind }),
    ...(target && { target_id: target }),
    ...(outcome && { outcome }),
  };
}
