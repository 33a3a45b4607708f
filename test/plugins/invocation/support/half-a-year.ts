import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import { liveThrough, monthsFrom, type SetClock } from './months.ts';
import { recordAt, store } from './records.ts';
import { startStage, type Stage } from './stage.ts';

/** Two a day from January to the day before the run, which is in the middle of June. */
export const NOW = '2025-06-16T00:00:00Z';
export const times = Array.from({ length: 332 }, (_, n) => Date.UTC(2025, 0, 1, 6) + n * 43_200_000);

/** Half a year of records on PostgreSQL, each month in its partition, and a run's settings. */
export async function startHalfAYear(
  clock: SetClock,
  settings: Readonly<Record<string, number>>,
): Promise<{ stage: Stage; rows: readonly CallRow[] }> {
  clock.set('2025-01-01T00:00:00Z');
  const stage = await startStage('postgres', undefined, {
    clock,
    settings: { invocation: settings },
  });
  await liveThrough(stage, clock, monthsFrom('2025-01', '2025-06'));
  clock.set(NOW);
  const rows = times.map((time, n) =>
    recordAt(new Date(time).toISOString(), { user_id: n % 2 === 0 ? 'alice' : 'bob' }),
  );
  await store(stage, rows);
  return { stage, rows };
}
