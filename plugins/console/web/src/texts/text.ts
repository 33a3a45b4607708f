import { en } from './en.ts';

/** Every text of the console; another language is a second dictionary of this type. */
export type Texts = typeof en;

export const text: Texts = en;

const number = new Intl.NumberFormat('en');
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const time = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

export const showNumber = (value: number): string => number.format(value);
export const showDate = (iso: string): string => date.format(new Date(iso));
export const showMoment = (iso: string): string => moment.format(new Date(iso));
export const showTime = (iso: string): string => time.format(new Date(iso));

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a time is: `3 minutes ago`. */
export function showAgo(iso: string): string {
  const seconds = (Date.parse(iso) - Date.now()) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}

/** A duration in seconds as the API gives it: `420 ms`, `1.25 s`. */
export function showDuration(seconds: number): string {
  return seconds < 1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : `${seconds.toFixed(2)} s`;
}

/** What a type of algorithms is called; types are free text, so an unknown one is shown in words. */
export function showType(type: string): string {
  const known = text.types[type as keyof typeof text.types];
  if (known) return known;
  const words = type.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
