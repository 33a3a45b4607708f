import { DAY_MS, lowestIdAt } from '../../../core/index.ts';
import type { RetentionSettings } from '../config.ts';
import type { RetentionKind } from './marks.ts';

/** The limits of one kind; `undefined` is no limit. */
export interface Limit {
  readonly days: number | undefined;
  readonly count: number | undefined;
}

/** Reads the limits; 0 means that everything is kept. */
export function limitsOf(settings: RetentionSettings): Record<RetentionKind, Limit> {
  const limit = (value: number): number | undefined => (value === 0 ? undefined : value);
  return {
    records: { days: limit(settings.keep_records_days), count: limit(settings.keep_records_count) },
    payloads: { days: limit(settings.keep_payloads_days), count: limit(settings.keep_payloads_count) },
  };
}

export function hasLimit({ days, count }: Limit): boolean {
  return days !== undefined || count !== undefined;
}

/** The id below which records are too old; below every id without a limit of days. */
export function tooOldBelow({ days }: Limit, now: number): string {
  return days === undefined ? '' : lowestIdAt(now - days * DAY_MS);
}
