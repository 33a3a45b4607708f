import { useEffect, useState } from 'react';
import { text } from '../texts/text.ts';
import { isCustom, isDay, RANGES, type Period, type Range } from './period.ts';

/** Chooses the time that a screen shows: one of some ranges, or days. */
export function PeriodPicker({
  period,
  ranges,
  byDefault,
  change,
}: {
  readonly period: Period;
  readonly ranges: readonly Range[];
  /** The range where the address names none; all time where it is absent. */
  readonly byDefault?: Range;
  readonly change: (period: Period) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const showsDays = isOpen || isCustom(period);
  const choose = (value: string): void => {
    setOpen(value === 'days');
    if (value === 'days') return;
    const range = RANGES.find((each) => each === value);
    change({ range: range === byDefault ? undefined : range, from: undefined, to: undefined });
  };
  return (
    <div className="row">
      <select
        className="select"
        aria-label={text.periods.label}
        value={showsDays ? 'days' : (period.range ?? byDefault ?? '')}
        onChange={({ target }) => choose(target.value)}
      >
        {!byDefault && <option value="">{text.periods.any}</option>}
        {ranges.map((range) => (
          <option key={range} value={range}>
            {text.periods.ranges[range]}
          </option>
        ))}
        <option value="days">{text.periods.days}</option>
      </select>
      {showsDays && (
        <>
          <Day
            label={text.periods.from}
            value={dayOf(period.from)}
            max={dayOf(period.to)}
            change={(from) => change({ ...period, range: undefined, from })}
          />
          <Day
            label={text.periods.to}
            value={dayOf(period.to)}
            min={dayOf(period.from)}
            change={(to) => change({ ...period, range: undefined, to })}
          />
        </>
      )}
    </div>
  );
}

/** The day of the reader in which a time lies. */
function dayOf(time: string | undefined): string | undefined {
  if (time === undefined || isDay(time)) return time;
  return new Date(Date.parse(time) - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

function Day(props: {
  readonly label: string;
  readonly value: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly change: (day: string | undefined) => void;
}) {
  const [typed, setTyped] = useState(props.value ?? '');
  useEffect(() => setTyped(props.value ?? ''), [props.value]);
  const enter = (day: string): void => {
    setTyped(day);
    // While a year is typed it begins with zeros.
    if (!day.startsWith('0')) props.change(day || undefined);
  };
  return (
    <label className="row small quiet day">
      {props.label}
      <input
        className="input"
        type="date"
        value={typed}
        min={props.min}
        max={props.max}
        onChange={({ target }) => enter(target.value)}
      />
    </label>
  );
}
