/** What may be granted; each includes those before it. */
export const RIGHTS = ['read', 'execute', 'manage'] as const;
export type Right = (typeof RIGHTS)[number];

/** The end of a day that was entered, where this browser is; null for no day. */
export function endOfDay(date: string): string | null {
  return date === '' ? null : new Date(`${date}T23:59:59`).toISOString();
}

/** The day of a time, where this browser is, as a field for days takes it. */
export function dayOf(time: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
