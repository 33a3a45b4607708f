/**
 * Milliseconds for which this process was on a processor during the work, which must not wait for anything. What else runs
 * on the machine hardly changes it, unlike everything that a clock on the wall says.
 */
export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
