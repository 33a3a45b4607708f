import { execFileSync } from 'node:child_process';

/** Resident memory at a time. */
export interface Sample {
  readonly atMs: number;
  readonly mebibytes: number;
}

/** Mebibytes that a process holds in memory. */
export function residentMemory(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/** Mebibytes per minute by which memory grows: the slope of the line that fits best. */
export function slopePerMinute(samples: readonly Sample[]): number {
  const count = samples.length;
  const meanAt = samples.reduce((sum, { atMs }) => sum + atMs, 0) / count;
  const meanSize = samples.reduce((sum, { mebibytes }) => sum + mebibytes, 0) / count;
  let above = 0;
  let below = 0;
  for (const { atMs, mebibytes } of samples) {
    above += (atMs - meanAt) * (mebibytes - meanSize);
    below += (atMs - meanAt) ** 2;
  }
  return (above / below) * 60_000;
}
