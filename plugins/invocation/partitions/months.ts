import { lowestIdAt } from '../../../core/index.ts';

/** The lowest ids of the UTC months after a time, the next month first. */
export function monthsAfter(now: number, count: number): string[] {
  const date = new Date(now);
  return Array.from({ length: count }, (_, index) =>
    lowestIdAt(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1 + index)),
  );
}
