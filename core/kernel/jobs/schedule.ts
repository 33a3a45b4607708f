import { Cron } from 'croner';
import { millisecondsOf, type Duration } from './duration.ts';

const SHORTEST_MS = 100;
const LONGEST_MS = 365 * 86_400_000;

/** The times at which a job runs. */
export interface Schedule {
  /** For display: `every 5m`, `0 3 * * * (Europe/Berlin)`. */
  readonly text: string;
  /** The first time after `after`; both in milliseconds since 1970. */
  next(after: number): number;
}

/** An interval of 100 ms to 365 days. Throws an `Error` otherwise, whose message continues after the job's name. */
export function intervalSchedule(every: Duration): Schedule {
  const interval = millisecondsOf(every);
  if (!(interval >= SHORTEST_MS && interval <= LONGEST_MS)) {
    throw new Error(
      `has the interval ${JSON.stringify(every)}; it must be milliseconds, or a text such as "30s", "5m", "12h" or "1d", from 100 ms to 365 days.`,
    );
  }
  return {
    text: `every ${typeof every === 'number' ? `${every}ms` : every}`,
    next: (after) => after + interval,
  };
}

/** A cron expression in a time zone. Throws an `Error` when one of them is invalid; its message continues after the job's name. */
export function cronSchedule(expression: string, timeZone = 'UTC'): Schedule {
  const cron = cronOf(expression, timeZone);
  const next = (after: number): number | undefined => cron.nextRun(new Date(after))?.getTime();
  if (next(Date.UTC(2000)) === undefined) {
    throw new Error(`has the cron expression "${expression}", which matches no date.`);
  }
  return {
    text: `${expression} (${timeZone})`,
    next: (after) => next(after) ?? after + LONGEST_MS,
  };
}

function cronOf(expression: string, timezone: string): Cron {
  try {
    const cron = new Cron(expression, { paused: true, timezone, mode: '5-or-6-parts' });
    cron.nextRun();
    return cron;
  } catch (error) {
    throw new Error(
      `has the cron expression "${expression}" in the zone "${timezone}", which cannot be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
