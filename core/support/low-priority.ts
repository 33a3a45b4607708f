import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { constants, setPriority } from 'node:os';

/** How a thread stands to the others of this process. */
export type ThreadPriority = 'idle' | 'low' | 'normal';

const ENOUGH_MS = 2000;

/**
 * Lets other threads of this process go before the one that runs this, where the system has priorities of threads: Linux.
 * `low` gets about a tenth of a core that they fill, but keeps the core for up to 4 ms when one of them wakes.
 * `idle` leaves it at once and gets next to nothing of a full one; it takes `chrt` (util-linux), and is `low` without.
 */
export function lowerThreadPriority(priority: Exclude<ThreadPriority, 'normal'>): void {
  try {
    const thread = basename(readlinkSync('/proc/thread-self'));
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
    if (priority === 'idle') {
      execFileSync('chrt', ['-i', '-p', '0', thread], { stdio: 'ignore', timeout: ENOUGH_MS });
    }
  } catch {
    // Elsewhere, or forbidden: then it competes as others do.
  }
}
