import { statfsSync } from 'node:fs';
import { readableBytes } from './bytes.ts';
import type { DoctorFinding } from '../../core/telemetry/doctor-check.ts';

const MIB = 1_048_576;
/** Below this the next records may not fit. */
const FAULT_BYTES = 100 * MIB;
/** Below this, or this share of the disk, there is time to act. */
const WARNING_BYTES = 1024 * MIB;
const WARNING_SHARE = 0.1;

/** Bytes of a disk. */
export interface DiskSpace {
  readonly free: number;
  readonly total: number;
}

/** The space of the disk on which a path lies, as far as this user may take it. Throws when there is no such path. */
export function diskSpaceOf(path: string): DiskSpace {
  const { bsize, blocks, bavail } = statfsSync(path);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** Whether there is room on the disk of a path; `what` begins the sentence. */
export function diskFindings(what: string, path: string, space = diskSpaceOf): DoctorFinding[] {
  const { free, total } = space(path);
  const message = `${what} (${path}) has ${readableBytes(free)} free of ${readableBytes(total)}.`;
  const mend = `Make room on that disk, or let retention delete old records (invocation.keep_records_days): df -h ${path}`;
  if (free < FAULT_BYTES) return [{ state: 'fault', message, mend }];
  if (free < WARNING_BYTES || free < total * WARNING_SHARE) return [{ state: 'warning', message, mend }];
  return [{ state: 'ok', message }];
}
