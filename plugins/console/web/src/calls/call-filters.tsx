import type { ReactNode } from 'react';
import { PeriodPicker } from '../periods/period-picker.tsx';
import { showStatus, text } from '../texts/text.ts';
import { CALL_RANGES, CALL_STATUSES, type CallSearch } from './call-search.ts';

export function CallFilters({
  search,
  change,
  children,
}: {
  readonly search: CallSearch;
  readonly change: (part: CallSearch) => void;
  /** More filters. */
  readonly children: ReactNode;
}) {
  return (
    <search className="row call-filters">
      <select
        className="select"
        aria-label={text.history.status}
        value={search.status ?? ''}
        onChange={({ target }) => change({ status: target.value || undefined })}
      >
        <option value="">{text.history.any}</option>
        {CALL_STATUSES.map((status) => (
          <option key={status} value={status}>
            {showStatus(status)}
          </option>
        ))}
      </select>
      {children}
      <PeriodPicker period={search} ranges={CALL_RANGES} change={change} />
    </search>
  );
}
