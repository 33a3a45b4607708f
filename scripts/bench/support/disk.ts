import { startProgram } from './program.ts';
import type { Times } from './load.ts';

/** Writes to the disk that fall due evenly, each synced before the next; the time of one counts from when it was due. */
export interface DiskOrder {
  readonly seconds: number;
  readonly perSecond: number;
  /** Bytes of each write. */
  readonly size: number;
}

/** The process that writes to the disk on which the databases of benchmarks are. */
export interface Disk {
  run(order: DiskOrder): Promise<Times>;
  stop(): Promise<void>;
}

/** Starts it where the services are. */
export async function startDisk(): Promise<Disk> {
  const program = await startProgram('disk', 'server');
  return { run: (order) => program.ask<Times>(order), stop: () => program.stop() };
}
