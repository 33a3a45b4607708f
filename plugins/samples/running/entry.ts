import { setPriority } from 'node:os';
import type { EmbeddedRun } from '../contract.ts';
import type { Answer, Job, Report } from './protocol.ts';
import { startWatchdog } from './watchdog.ts';

/** The worker's side: loads the module of a job, runs it and answers JSON text, which cannot surprise the service. */
async function answerTo(job: Job): Promise<Answer> {
  try {
    const { default: run } = (await import(job.module)) as { default: EmbeddedRun };
    return serialised(await run(job.input, job.params), job.maxOutputBytes);
  } catch (error) {
    return faultOf(error);
  }
}

function serialised(output: unknown, maxOutputBytes: number): Answer {
  const json = JSON.stringify(output) as string | undefined;
  if (json === undefined) return { kind: 'failed', detail: 'It answered nothing that JSON can hold.' };
  const bytes = Buffer.byteLength(json);
  return bytes > maxOutputBytes ? { kind: 'too-large', bytes } : { kind: 'done', json };
}

function faultOf(error: unknown): Answer {
  if (error instanceof Error && error.name === 'InputRejected')
    return { kind: 'rejected', message: error.message };
  return { kind: 'failed', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** A third of the share that the service gets where both want the processor. */
const NICENESS = 5;

/** Answering requests comes first. A system that does not let a process yield runs it all the same. */
function yieldToTheService(): void {
  try {
    setPriority(NICENESS);
  } catch {
    return;
  }
}

/** The service decides when a worker ends: it drains its calls first when it stops. */
function leaveSignalsToTheService(): void {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit(0));
}

/** What earlier jobs left behind must not be held against the next one. */
function report(answer: Answer): Report {
  return { answer, spent: process.memoryUsage.rss() > maxBytes / 2 };
}

const maxBytes = Number(process.argv[2]) * 1024 * 1024;
yieldToTheService();
leaveSignalsToTheService();
startWatchdog(maxBytes);
process.on('uncaughtException', (error) => process.send?.(report(faultOf(error)), () => process.exit(1)));
process.on('message', (job: Job) => void answerTo(job).then((answer) => process.send?.(report(answer))));
