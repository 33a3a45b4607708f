import type { Wiring } from '../../di/container.ts';
import { StartupError } from '../../errors/startup-error.ts';
import type { Plan } from '../plan.ts';
import { millisecondsOf } from './duration.ts';
import { scheduleOf } from './job-check.ts';
import type { JobRun } from './job.ts';
import type { Schedule } from './schedule.ts';

/** A job with resolved dependencies. */
export interface BoundJob {
  /** `<plugin>:<name>`. */
  readonly id: string;
  readonly summary: string;
  readonly schedule: Schedule;
  readonly deadlineMs: number;
  readonly run: (run: JobRun) => void | Promise<void>;
}

/** The jobs of every plugin, in boot order. Throws `StartupError` that names a job whose settings give it no schedule. */
export function boundJobs(plan: Plan, wiring: Wiring): readonly BoundJob[] {
  return plan.plugins.flatMap(({ definition: { id: plugin, jobs = [] } }) =>
    jobs.map((job) => {
      const deps = wiring.resolve(plugin, job.deps);
      return {
        id: `${plugin}:${job.name}`,
        summary: job.summary,
        schedule: scheduleIn(plugin, () => scheduleOf(job, deps)),
        deadlineMs: millisecondsOf(job.deadline ?? '10m'),
        run: (run) => job.run(run, deps as never),
      };
    }),
  );
}

function scheduleIn(plugin: string, make: () => Schedule): Schedule {
  try {
    return make();
  } catch (error) {
    throw new StartupError(`Plugin "${plugin}": ${(error as Error).message}`, [], {
      cause: error,
      plugins: [plugin],
    });
  }
}
