/** Numbers, times and durations as the language of the reader writes them. */

/** Points of charts in full, and briefly for their axes. */
const pointsIn = (locale: string, timeZone?: 'UTC') => ({
  day: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone }),
  dayOfYear: new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone }),
  minute: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
  minuteOfDay: new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }),
});

const formatsOf = (locale: string) => {
  const unit = (name: string, digits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    });
  return {
    number: new Intl.NumberFormat(locale),
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
    moment: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
    time: new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }),
    relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
    percent: new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }),
    utc: pointsIn(locale, 'UTC'),
    local: pointsIn(locale),
    span: (name: string) => new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' }),
    milliseconds: unit('millisecond', 0),
    seconds: unit('second', 2),
  };
};

let formats = formatsOf('en');

/** Shows numbers and times from now on as they are written in a locale such as `en-GB`. */
export function setLocale(locale: string): void {
  formats = formatsOf(locale);
}

export const showNumber = (value: number): string => formats.number.format(value);
export const showDate = (iso: string): string => formats.date.format(new Date(iso));
export const showMoment = (iso: string): string => formats.moment.format(new Date(iso));

/** A share from 0 to 1: `97.4%`. */
export const showPercent = (share: number): string => formats.percent.format(share);

/** A point of a chart in UTC or in the zone of the reader, given in milliseconds since 1970. */
export const showIn = (
  zone: 'utc' | 'local',
  name: 'day' | 'dayOfYear' | 'minute' | 'minuteOfDay',
  milliseconds: number,
): string => formats[zone][name].format(milliseconds);
export const showTime = (iso: string): string => formats.time.format(new Date(iso));

/** The units in which people give a span of time, by their seconds. */
export const SPANS = { day: 86_400, hour: 3_600, minute: 60, second: 1 } as const;
export type Span = keyof typeof SPANS;

/** The largest unit of which a number of seconds is a whole number. */
export function spanOf(seconds: number): Span {
  const units = Object.keys(SPANS) as Span[];
  return units.find((unit) => seconds % SPANS[unit] === 0) ?? 'second';
}

/** A span of time that was set, in seconds: `1 minute`, `90 seconds`. */
export function showSpan(seconds: number): string {
  const unit = spanOf(seconds);
  return formats.span(unit).format(seconds / SPANS[unit]);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a time is: `3 minutes ago`. */
export function showAgo(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return formats.relative.format(Math.round(seconds / size), unit);
}

/** A duration in seconds as the API gives it: `420 ms`, `1.25 sec`. */
export function showDuration(seconds: number): string {
  return seconds < 1
    ? formats.milliseconds.format(Math.max(1, Math.round(seconds * 1000)))
    : formats.seconds.format(seconds);
}
