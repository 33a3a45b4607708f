import type { Wiring } from '../../di/container.ts';
import { StartupError } from '../../errors/startup-error.ts';
import type { Plan } from '../plan.ts';
import { millisecondsOf, type Duration } from './duration.ts';
import { intervalFaults } from './job-check.ts';
import type { Job, JobRun } from './job.ts';

/** A job with resolved dependencies. */
export interface BoundJob {
  /** `<plugin>:<name>`. */
  readonly id: string;
  readonly summary: string;
  /** For display: `every 5m`. */
  readonly schedule: string;
  readonly intervalMs: number;
  readonly deadlineMs: number;
  readonly run: (run: JobRun) => void | Promise<void>;
}

/** The jobs of every plugin, in boot order. Throws `StartupError` that names a job whose settings give it no interval. */
export function boundJobs(plan: Plan, wiring: Wiring): readonly BoundJob[] {
  return plan.plugins.flatMap(({ definition: { id: plugin, jobs = [] } }) =>
    jobs.map((job) => {
      const deps = wiring.resolve(plugin, job.deps) as never;
      const every = intervalOf(plugin, job, deps);
      return {
        id: `${plugin}:${job.name}`,
        summary: job.summary,
        schedule: `every ${typeof every === 'number' ? `${every}ms` : every}`,
        intervalMs: millisecondsOf(every),
        deadlineMs: millisecondsOf(job.deadline ?? '10m'),
        run: (run) => job.run(run, deps),
      };
    }),
  );
}

function intervalOf(plugin: string, { name, every }: Job, deps: never): Duration {
  try {
    const interval = typeof every === 'function' ? every(deps) : every;
    const [fault] = intervalFaults(name, interval);
    if (fault === undefined) return interval;
    throw new Error(fault);
  } catch (error) {
    const message = `Plugin "${plugin}": ${(error as Error).message}`;
    throw new StartupError(message, [], { cause: error, plugins: [plugin] });
  }
}
