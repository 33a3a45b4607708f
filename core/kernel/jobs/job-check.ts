import { millisecondsOf } from './duration.ts';
import type { Job } from './job.ts';
import { cronSchedule, intervalSchedule, type Schedule } from './schedule.ts';

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** The faults in the jobs of a plugin that can be found before the settings are known, one sentence each. */
export function jobFaults(jobs: readonly Job[]): readonly string[] {
  const names = jobs.map(({ name }) => name);
  return jobs.flatMap((job, index) => [
    ...(NAME.test(job.name) ? [] : [`its job "${job.name}" needs a name in lower case with single hyphens.`]),
    ...(names.indexOf(job.name) === index ? [] : [`it has two jobs with the name "${job.name}".`]),
    ...(typeof job.run === 'function' ? [] : [`its job "${job.name}" needs a function "run".`]),
    ...deadlineFaults(job),
    ...scheduleFaults(job),
  ]);
}

/** The schedule of a job whose dependencies are resolved. Throws an `Error` that names the job. */
export function scheduleOf(job: Job, deps: unknown): Schedule {
  const { name, every, cron, timeZone } = job;
  const value = <T>(given: T | ((deps: never) => T)): T => {
    if (typeof given !== 'function') return given;
    try {
      return (given as (deps: never) => T)(deps as never);
    } catch (error) {
      throw new Error(`has a schedule that throws: ${(error as Error).message}`, { cause: error });
    }
  };
  try {
    return every === undefined ? cronSchedule(value(cron), timeZone) : intervalSchedule(value(every));
  } catch (error) {
    throw new Error(`its job "${name}" ${(error as Error).message}`, { cause: error });
  }
}

function deadlineFaults({ name, deadline = '10m' }: Job): string[] {
  return millisecondsOf(deadline) > 0
    ? []
    : [`its job "${name}" has the deadline ${JSON.stringify(deadline)}; write "30s", "5m" or milliseconds.`];
}

function scheduleFaults(job: Job): string[] {
  const { name, every, cron } = job as { name: string; every?: unknown; cron?: unknown };
  if ((every === undefined) === (cron === undefined)) {
    return [`its job "${name}" needs either "every" or "cron".`];
  }
  if (typeof every === 'function' || typeof cron === 'function') return [];
  try {
    scheduleOf(job, {});
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
