import type { Subject } from './called.ts';
import { isVoid, type Load } from './load.ts';

const CONNECTIONS = 50;

/** Good answers per second of fifty callers without a pause, warmed up by as long a run before; NaN with a bad answer. */
export async function capacityOf(load: Load, subject: Subject, seconds: number): Promise<number> {
  const order = { ...subject, connections: CONNECTIONS, seconds };
  await load.run(order);
  const report = await load.run(order);
  return isVoid(report) ? NaN : report.perSecond;
}
