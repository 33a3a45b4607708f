/** What is slow by itself is slow every time; what the compiler or garbage of other tests had to do with it is not. */
const TRIES = 3;

/**
 * Milliseconds for which this process was on a processor during the work, which must not wait for anything: the least of
 * three tries. What else runs on the machine hardly changes it, unlike everything that a clock on the wall says.
 */
export function processorMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: TRIES }, () => timeOf(work)));
}

function timeOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
