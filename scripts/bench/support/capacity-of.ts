import type { Subject } from './called.ts';
import type { Load } from './load.ts';

const CONNECTIONS = 50;

/** Good answers per second of fifty callers without a pause, warmed up by as long a run before. */
export async function capacityOf(load: Load, subject: Subject, seconds: number): Promise<number> {
  const order = { ...subject, connections: CONNECTIONS, seconds };
  await load.run(order);
  return (await load.run(order)).perSecond;
}
