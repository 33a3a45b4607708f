import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { constants, setPriority } from 'node:os';

/**
 * Lets other threads of this process go before the one that runs this, where the system has priorities of threads: Linux.
 * It still gets about a tenth of a core that they fill.
 */
export function lowerThreadPriority(): void {
  try {
    setPriority(
      Number(basename(readlinkSync('/proc/thread-self'))),
      constants.priority.PRIORITY_BELOW_NORMAL,
    );
  } catch {
    // Elsewhere, or forbidden: then it competes as others do.
  }
}
