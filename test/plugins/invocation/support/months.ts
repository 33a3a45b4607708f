import { CLOCK, DATABASE, LOGGER, type Clock, type Connection } from '../../../../core/index.ts';
import type { TestKernel } from '../../../../core/testing.ts';
import { makeMonthsAhead } from '../../../../plugins/invocation/partitions/month-partitions.ts';
import { partitionsOf } from '../../../../plugins/invocation/partitions/partition.ts';

/** A clock that the test sets. */
export interface SetClock extends Clock {
  set(time: string): void;
}

export function clockAt(time: string): SetClock {
  let now = Date.parse(time);
  return {
    now: () => now,
    elapsed: () => performance.now(),
    set: (other) => void (now = Date.parse(other)),
  };
}

/** Makes the months ahead, as retention does now and then. */
export function makeMonths(kernel: Pick<TestKernel, 'get'>): Promise<void> {
  const [database, clock, logger] = [kernel.get(DATABASE), kernel.get(CLOCK), kernel.get(LOGGER)];
  return makeMonthsAhead({ database, clock, logger });
}

/** Lets months begin one after the other, as a service that runs all the time does. */
export async function liveThrough(
  kernel: Pick<TestKernel, 'get'>,
  clock: SetClock,
  months: readonly string[],
): Promise<void> {
  for (const month of months) {
    clock.set(`${month}-01T00:10:00Z`);
    await makeMonths(kernel);
  }
}

/** The months from one to another, both included. */
export function monthsFrom(first: string, last: string): string[] {
  const months: string[] = [];
  const date = new Date(`${first}-01T00:00:00Z`);
  for (; date.toISOString().slice(0, 7) <= last; date.setUTCMonth(date.getUTCMonth() + 1)) {
    months.push(date.toISOString().slice(0, 7));
  }
  return months;
}

/** Names without what all have in common: `first`, `2026_01` … */
export async function partitionNames(kernel: Pick<TestKernel, 'get'>): Promise<string[]> {
  const partitions = await partitionsOf(kernel.get(DATABASE).knex);
  return partitions.map(({ name }) => shortened(name));
}

/** In which partition a record lies. */
export async function placeOf(kernel: Pick<TestKernel, 'get'>, id: string): Promise<string | undefined> {
  const knex: Connection = kernel.get(DATABASE).knex;
  const { rows } = await knex.raw<{ rows: { place: string }[] }>(
    'SELECT tableoid::regclass::text AS place FROM invocation_calls WHERE id = ?',
    [id],
  );
  return rows[0] && shortened(rows[0].place);
}

function shortened(name: string): string {
  return name.replace('invocation_calls_', '');
}
