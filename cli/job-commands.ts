import { Problem } from '../core/errors/problem.ts';
import { StartupError } from '../core/errors/startup-error.ts';
import { INSTALLATION } from '../core/kernel/installation.ts';
import type { JobState } from '../core/kernel/jobs/job-state.ts';
import type { Plan } from '../core/kernel/plan.ts';
import { isoTime } from '../core/support/clock.ts';
import { onKernel } from './on-kernel.ts';
import { columns, type Answer } from './output.ts';

const HEAD = ['JOB', 'SCHEDULE', 'NEXT', 'LAST RUN', 'TOOK', 'RESULT'];

/** `jobs list`: every job with its schedule and its last run. */
export async function listJobs(plan: Plan): Promise<Answer> {
  const jobs = await onKernel(plan, (kernel) => kernel.get(INSTALLATION).jobs.list());
  const data = jobs.map(({ dueAt, last, ...job }) => ({
    ...job,
    dueAt: dueAt === undefined ? null : isoTime(dueAt),
    last: last ? { ...last, at: isoTime(last.at), fault: last.fault ?? null } : null,
  }));
  return { message: columns([HEAD, ...jobs.map(rowOf)]), data };
}

/** `jobs run <id>`: runs a job now, whether it is due or not. */
export async function runJob(plan: Plan, id: string): Promise<Answer> {
  return onKernel(plan, async (kernel) => {
    const { jobs } = kernel.get(INSTALLATION);
    const hasRun = await jobs.run(id).catch((error: unknown) => {
      if (error instanceof Problem || error instanceof StartupError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartupError(`The job "${id}" failed: ${reason}`, [], { cause: error });
    });
    if (!hasRun) {
      throw new StartupError(`The job "${id}" is running already. Try again when it has ended.`);
    }
    return { message: `The job "${id}" is done.`, data: { id, ok: true } };
  });
}

function rowOf({ id, schedule, isRunning, dueAt, last }: JobState): readonly string[] {
  const next = dueAt === undefined ? '-' : isoTime(dueAt);
  if (!last) return [id, schedule, isRunning ? 'running' : next, '-', '-', '-'];
  const { at, durationMs, fault } = last;
  return [id, schedule, isRunning ? 'running' : next, isoTime(at), `${durationMs} ms`, fault ?? 'ok'];
}
