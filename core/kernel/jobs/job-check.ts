import { millisecondsOf } from './duration.ts';
import type { Job } from './job.ts';

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const SHORTEST_MS = 100;
const LONGEST_MS = 365 * 86_400_000;

/** The faults in the jobs of a plugin that can be found before the settings are known, one sentence each. */
export function jobFaults(jobs: readonly Job[]): readonly string[] {
  const names = jobs.map(({ name }) => name);
  return jobs.flatMap((job, index) => [
    ...(NAME.test(job.name) ? [] : [`its job "${job.name}" needs a name in lower case with single hyphens.`]),
    ...(names.indexOf(job.name) === index ? [] : [`it has two jobs with the name "${job.name}".`]),
    ...(typeof job.run === 'function' ? [] : [`its job "${job.name}" needs a function "run".`]),
    ...deadlineFaults(job),
    ...(typeof job.every === 'function' ? [] : intervalFaults(job.name, job.every)),
  ]);
}

/** What is wrong with the interval of a job, in one sentence. */
export function intervalFaults(name: string, every: unknown): readonly string[] {
  const interval = millisecondsOf(every);
  if (interval >= SHORTEST_MS && interval <= LONGEST_MS) return [];
  return [
    `its job "${name}" has the interval ${JSON.stringify(every) ?? 'undefined'}; "every" must be milliseconds, or a text such as "30s", "5m", "12h" or "1d", from 100 ms to 365 days.`,
  ];
}

function deadlineFaults({ name, deadline = '10m' }: Job): string[] {
  return millisecondsOf(deadline) > 0
    ? []
    : [`its job "${name}" has the deadline ${JSON.stringify(deadline)}; write "30s", "5m" or milliseconds.`];
}
