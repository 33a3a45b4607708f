/** Does the work for one after the other, also for those after a fault; throws the first fault at the end. */
export async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const faults: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw faults[0];
}
