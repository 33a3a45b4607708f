import { getPriority } from 'node:os';
import { basename } from 'node:path';
import { readFileSync, readlinkSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import type { Answerer } from '../../../core/support/worker-messages.ts';

export type Sum = readonly number[] | 'exit' | 'throw' | 'thread' | 'nice' | 'policy';

/** Adds numbers to what it was given, in a thread. */
export default function calculator(data: unknown): Answerer<Sum, number> {
  return {
    answer: (order) => {
      if (order === 'exit') process.exit(3);
      if (order === 'throw') throw Object.assign(new Error('That is no sum.'), { code: 'NO_SUM' });
      if (order === 'thread') return threadId;
      if (order === 'nice') return getPriority(Number(basename(readlinkSync('/proc/thread-self'))));
      if (order === 'policy') return schedulingPolicy();
      return order.reduce((sum, value) => sum + value, data as number);
    },
  };
}

/** Of this thread: 0 is that of all others, 5 is `SCHED_IDLE` (proc(5), the 41st field; the second may hold spaces). */
function schedulingPolicy(): number {
  const fields = readFileSync('/proc/thread-self/stat', 'utf8').split(') ').at(-1)!.split(' ');
  return Number(fields[41 - 3]);
}
