import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { endCheckpoint } from './postgres.ts';

/**
 * Has written to the disk what earlier load left with PostgreSQL and with the system. Both would write it beside what is
 * measured next, for half a minute and more, and each commit would wait for that.
 */
export async function settle(): Promise<void> {
  await endCheckpoint();
  await promisify(execFile)('sync');
}
