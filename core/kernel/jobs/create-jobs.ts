import type { Wiring } from '../../di/container.ts';
import { StartupError } from '../../errors/startup-error.ts';
import type { Database } from '../../persistence/database.ts';
import type { Clock } from '../../support/clock.ts';
import { newId } from '../../support/ids.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Plan } from '../plan.ts';
import { boundJobs, type BoundJob } from './bound-job.ts';
import { JobRunner } from './job-runner.ts';
import { JobTable, type JobRow } from './job-table.ts';
import type { Jobs, JobState } from './job-state.ts';

/** The jobs, with the methods that only the kernel calls. */
export interface KernelJobs extends Jobs {
  /** Resolves the dependencies of the plan's jobs. Throws `StartupError` when the settings give a job no schedule. */
  bind(plan: Plan, wiring: Wiring): void;
  /** Starts running jobs when they are due. */
  start(): void;
  /** Starts no more runs, aborts the runs of this process, and resolves when they have ended. */
  stop(): Promise<void>;
}

/** Creates the jobs of an installation; the list is empty until `bind`. */
export function createJobs(
  database: Database,
  around: { readonly clock: Clock; readonly logger: Logger },
): KernelJobs {
  const { clock } = around;
  const table = new JobTable(database, newId());
  const runner = new JobRunner({ ...around, table });
  let all: readonly BoundJob[] = [];
  return {
    bind: (plan, wiring) => {
      all = boundJobs(plan, wiring);
    },

    start: () => runner.start(all),
    stop: () => runner.stop(),

    async list() {
      const rows = new Map((await table.rows()).map((row) => [row.job, row]));
      return all.map((job) => stateOf(job, rows.get(job.id), clock.now()));
    },

    async run(id) {
      const job = all.find((one) => one.id === id);
      if (!job) throw unknownJob(id, all);
      const ended = await runner.run(job, { isDue: false });
      if (ended?.fault) throw ended.fault;
      return ended !== undefined;
    },
  };
}

function stateOf({ id, summary, schedule }: BoundJob, row: JobRow | undefined, now: number): JobState {
  const last =
    row && row.ended_at !== null
      ? { at: row.ended_at, durationMs: row.duration_ms ?? 0, fault: row.fault ?? undefined }
      : undefined;
  return {
    id,
    summary,
    schedule: schedule.text,
    isRunning: row !== undefined && row.holder !== null && row.lease_until > now,
    dueAt: row?.due_at,
    last,
    failures: row?.failures ?? 0,
  };
}

function unknownJob(id: string, known: readonly BoundJob[]): StartupError {
  const ids = known.map((job) => job.id).join(', ') || 'none';
  return new StartupError(`There is no job "${id}". Known are: ${ids}.`);
}
