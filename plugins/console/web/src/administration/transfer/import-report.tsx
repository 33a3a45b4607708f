import { useState } from 'react';
import type { paths } from 'vitrine/client';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { useLostFocus } from '../../parts/lost-focus.ts';
import { NumberedPager } from '../../parts/numbered-pager.tsx';
import { adminText, showNumber } from '../../texts/text.ts';
import { PAGE_SIZE } from '../queries.ts';
import type { FileFault } from './document.ts';

export type Imported = paths['/catalogue/import']['post']['responses'][200]['content']['application/json'];
type Change = Imported['changes'][number];

const ACTIONS = ['create', 'update', 'delete'] as const;
const TONES = { create: 'good', update: 'warn', delete: 'bad' } as const;

/** What an import changed, or would. */
export function ImportResult({ done }: { readonly done: Imported }) {
  const words = adminText.transfer;
  const { changes, dry_run, unchanged } = done;
  // What was pressed to make the changes is gone once they are made.
  const report = useLostFocus<HTMLDivElement>(dry_run);
  return (
    <div ref={report} className="stack tight" tabIndex={-1}>
      <div className={dry_run || changes.length === 0 ? 'notice' : 'notice good'} role="status">
        <h3>
          {changes.length === 0
            ? words.nothing
            : dry_run
              ? words.would(changes.length)
              : words.made(changes.length)}
        </h3>
        <p className="row small">
          {ACTIONS.map((action) => (
            <span key={action}>
              {words.counts[action](changes.filter((change) => change.action === action).length)}
            </span>
          ))}
          <span>{words.unchanged(unchanged)}</span>
        </p>
      </div>
      {changes.length > 0 && <ChangeTable changes={changes} />}
    </div>
  );
}

function ChangeTable({ changes }: { readonly changes: readonly Change[] }) {
  const [page, setPage] = useState(1);
  const first = (page - 1) * PAGE_SIZE;
  const rows = changes.map((change, place) => ({ ...change, place })).slice(first, first + PAGE_SIZE);
  return (
    <>
      <ListTable
        label={adminText.transfer.changes}
        columns={changeColumns()}
        rows={rows}
        keyOf={({ place }) => String(place)}
      />
      <NumberedPager page={page} pages={Math.ceil(changes.length / PAGE_SIZE)} go={(to = 1) => setPage(to)} />
    </>
  );
}

function changeColumns(): readonly Column<Change>[] {
  const words = adminText.transfer;
  return [
    {
      label: words.action,
      kind: 'bare',
      cell: ({ action }) => <span className={`badge ${TONES[action]}`}>{words.actions[action]}</span>,
    },
    { label: words.thing, kind: 'main', cell: ({ what }) => what },
    { label: words.fields, kind: 'long', cell: ({ fields = [] }) => fields.join(', ') },
  ];
}

/** What is wrong with a file, by its lines. */
export function FaultTable({ faults }: { readonly faults: readonly FileFault[] }) {
  const words = adminText.transfer;
  const [page, setPage] = useState(1);
  const first = (page - 1) * PAGE_SIZE;
  const rows = faults.map((fault, place) => ({ ...fault, place })).slice(first, first + PAGE_SIZE);
  return (
    <div className="stack tight">
      <div className="notice bad" role="alert">
        <h3>{words.refused(faults.length)}</h3>
        <p>{words.refusedText}</p>
      </div>
      <ListTable
        label={words.faults}
        columns={faultColumns()}
        rows={rows}
        keyOf={({ place }) => String(place)}
      />
      <NumberedPager page={page} pages={Math.ceil(faults.length / PAGE_SIZE)} go={(to = 1) => setPage(to)} />
    </div>
  );
}

function faultColumns(): readonly Column<FileFault>[] {
  const words = adminText.transfer;
  return [
    { label: words.line, kind: 'number', cell: ({ line }) => line !== undefined && showNumber(line) },
    { label: words.fault, kind: 'main', cell: ({ message }) => message },
  ];
}
