import { token } from '../di/token.ts';
import { randomSecret } from '../support/ids.ts';

/** Where this process stands among those that share a machine and a database (`vitrine start --workers N`). */
export interface WorkerPlace {
  /** How many there are; 1 for a process that is alone. */
  readonly count: number;
  /**
   * For choosing one of several rows to count in, so that writers do not wait for each other: workers of one machine have
   * consecutive ones, whatever runs on other machines a random one.
   */
  readonly lane: number;
}

/** The place of this process. */
export const WORKER_PLACE = token<WorkerPlace>('core:worker-place');

/** The place of a process that is alone. Its lane is also where the lanes of several begin. */
export function placeAlone(): WorkerPlace {
  return { count: 1, lane: randomSecret(2).readUInt16BE() };
}
