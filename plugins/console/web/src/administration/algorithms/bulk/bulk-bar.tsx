import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Algorithm, AlgorithmQuery } from '../../../api/queries.ts';
import { STATUSES, type Status } from '../../../catalogue/catalogue-search.ts';
import { FilterSelect } from '../../../parts/choice.tsx';
import { Question } from '../../../parts/confirmation.tsx';
import { adminText, showStatus } from '../../../texts/text.ts';
import { changeStatus, useStatusRun } from './status-run.ts';
import type { Selection } from './selection.ts';

/** Chooses algorithms of a list, and gives all of them another status. */
export function BulkBar(props: {
  readonly selection: Selection;
  /** The algorithms of the page. */
  readonly rows: readonly Algorithm[];
  /** How many there are on all pages. */
  readonly total: number;
  readonly query: AlgorithmQuery;
}) {
  const { selection, rows, total, query } = props;
  const words = adminText.bulk;
  const queries = useQueryClient();
  const run = useStatusRun();
  const [asked, setAsked] = useState<Status>();
  const isRunning = run !== undefined && run.phase !== 'ended';
  const number = selection.isAll ? total : selection.targets.length;
  const change = (status: Status): void => {
    setAsked(undefined);
    const { skip: _skip, limit: _limit, ...matching } = query;
    void changeStatus(queries, selection.isAll ? { matching } : { targets: selection.targets }, status);
    selection.clear();
  };
  return (
    <div className="bulk" role="group" aria-label={words.label}>
      <span className="small" role="status">
        {words.selected(number)}
      </span>
      {rows.some(({ id }) => !selection.has(id)) && (
        <button type="button" className="button small" onClick={() => selection.add(rows)}>
          {words.page(rows.length)}
        </button>
      )}
      {total > rows.length && !selection.isAll && (
        <button type="button" className="button small" onClick={selection.takeAll}>
          {words.all(total)}
        </button>
      )}
      {number > 0 && (
        <>
          <button type="button" className="button small" onClick={selection.clear}>
            {words.clear}
          </button>
          {!isRunning && (
            <FilterSelect
              label={words.change}
              any={words.change}
              options={STATUSES}
              chosen={undefined}
              nameOf={showStatus}
              choose={setAsked}
            />
          )}
        </>
      )}
      {asked && (
        <Question
          title={words.question(number, showStatus(asked))}
          action={words.confirm(showStatus(asked))}
          confirm={() => change(asked)}
          close={() => setAsked(undefined)}
        >
          <p>{words.meanings[asked]}</p>
        </Question>
      )}
    </div>
  );
}
