import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 20;

/** Whether the memory of other processes can be told here. */
export const hasProc = process.platform === 'linux';

/** Bytes that a process holds in memory. */
export function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
}

/** The most by which the memory of a process grew while something was done. */
export async function growthDuring(pid: number, work: () => Promise<void>): Promise<number> {
  const before = residentBytes(pid);
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, residentBytes(pid))), LOOK_EVERY_MS);
  await work().finally(() => clearInterval(looking));
  return Math.max(most, residentBytes(pid)) - before;
}
