import { readFileSync } from 'node:fs';

const MICROSECONDS_PER_TICK = 10_000;

/**
 * Microseconds that a process has spent on a processor since it began, all its threads together; NaN where the system
 * does not tell. Other work on the machine hardly changes it, unlike everything that a clock on the wall says.
 */
export function processorTime(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK;
  } catch {
    return NaN;
  }
}
