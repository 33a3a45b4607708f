import { useId, useState } from 'react';
import { isCustom, isDay, minuteOf, RANGES, type Period, type Range } from '../periods/period.ts';
import { text } from '../texts/text.ts';
import { ZONES, type Zone } from './dashboard-search.ts';
import type { Dashboard } from './use-dashboard.ts';

/** Chooses the time of figures: the last minutes, hours or days, or from one minute to another. */
export function TimePicker({ dashboard }: { readonly dashboard: Dashboard }) {
  const { search, byDefault, change } = dashboard;
  const [isOpen, setOpen] = useState(false);
  const showsTimes = isOpen || isCustom(search);
  const choose = (value: string): void => {
    setOpen(value === 'times');
    if (value !== 'times') change(rangeOf(value, byDefault));
  };
  return (
    <>
      <select
        className="select"
        aria-label={text.periods.label}
        value={showsTimes ? 'times' : (search.range ?? byDefault)}
        onChange={({ target }) => choose(target.value)}
      >
        {RANGES.map((range) => (
          <option key={range} value={range}>
            {text.periods.ranges[range]}
          </option>
        ))}
        <option value="times">{text.periods.times}</option>
      </select>
      {showsTimes && <Times key={`${search.from} ${search.to} ${search.zone}`} dashboard={dashboard} />}
    </>
  );
}

function rangeOf(value: string, byDefault: Range): Period {
  const range = RANGES.find((each) => each === value);
  return { range: range === byDefault ? undefined : range, from: undefined, to: undefined };
}

/** Two times of day, which are shown once they are complete. */
function Times({ dashboard: { search, time, change } }: { readonly dashboard: Dashboard }) {
  const { zone } = time;
  const [from, setFrom] = useState(() => written(search.from, zone, time.span.from));
  const [to, setTo] = useState(() => written(search.to, zone, time.span.to));
  const hint = useId();
  const [start, end] = [momentOf(from, zone), momentOf(to, zone)];
  const isTurned = start !== undefined && end !== undefined && start >= end;
  const show = (): void => {
    if (start === undefined || end === undefined || isTurned) return;
    change({ range: undefined, by: undefined, from: minuteOf(start), to: minuteOf(end) });
  };
  return (
    <form className="row" onSubmit={(event) => (event.preventDefault(), show())}>
      <label className="row small quiet day">
        {text.periods.from}
        <Moment value={from} change={setFrom} />
      </label>
      <label className="row small quiet day">
        {text.periods.to}
        <Moment value={to} change={setTo} describedBy={isTurned ? hint : undefined} />
      </label>
      <button type="submit" className="button small" aria-disabled={isTurned}>
        {text.periods.show}
      </button>
      {isTurned && (
        <span id={hint} className="small wrong" role="alert">
          {text.periods.turned}
        </span>
      )}
    </form>
  );
}

function Moment(props: {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly describedBy?: string | undefined;
}) {
  const { value, change, describedBy } = props;
  return (
    <input
      className="input"
      type="datetime-local"
      required
      value={value}
      aria-invalid={describedBy !== undefined}
      aria-describedby={describedBy}
      onChange={({ target }) => change(target.value)}
    />
  );
}

/** The zone in which times are read and shown. */
export function ZonePicker({ dashboard: { time, change } }: { readonly dashboard: Dashboard }) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <select
      className="select"
      aria-label={text.periods.zone}
      value={time.zone}
      onChange={({ target }) => change({ zone: target.value === 'utc' ? 'utc' : undefined })}
    >
      {ZONES.map((zone) => (
        <option key={zone} value={zone}>
          {zone === 'utc' ? 'UTC' : here}
        </option>
      ))}
    </select>
  );
}

/** A time as the field has it: `2026-01-31T09:30`. A day begins at midnight UTC, and one that ends the time ends there. */
function written(value: string | undefined, zone: Zone, moment: number): string {
  const time = value === undefined || isDay(value) ? moment : Date.parse(value);
  const shift = zone === 'utc' ? 0 : new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - shift).toISOString().slice(0, 16);
}

function momentOf(value: string, zone: Zone): number | undefined {
  const time = Date.parse(zone === 'utc' ? `${value}Z` : value);
  return Number.isNaN(time) ? undefined : time;
}
