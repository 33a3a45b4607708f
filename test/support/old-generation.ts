import { getHeapSpaceStatistics } from 'node:v8';
import { exposedCollector } from './collector.ts';

const TIMES = 20_000;
const TIMES_BETWEEN_COLLECTIONS = 1000;

/**
 * By how many bytes V8's old generation grows each time that work is done: what only a full collection finds, though
 * nobody holds it. What is young garbage is collected meanwhile.
 */
export async function grownOldBy(work: () => unknown): Promise<number> {
  const collect = exposedCollector();
  await repeat(work, TIMES_BETWEEN_COLLECTIONS);
  // Moves to the old generation what the work has at hand now.
  collect();
  const before = oldBytes();
  for (let done = 0; done < TIMES; done += TIMES_BETWEEN_COLLECTIONS) {
    await repeat(work, TIMES_BETWEEN_COLLECTIONS);
    collect({ type: 'minor' });
  }
  return (oldBytes() - before) / TIMES;
}

async function repeat(work: () => unknown, times: number): Promise<void> {
  for (let done = 0; done < times; done += 1) await work();
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size;
}
