import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';

/**
 * The other processes that have a file open, each as `NAME (PID)`, as far as this user may see them. Only Linux tells; elsewhere
 * there are none.
 */
export function processesWith(file: string): readonly string[] {
  const path = realpathSync(file);
  return listed('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => listed(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === path))
    .map((pid) => `${nameOf(pid)} (${pid})`);
}

function listed(directory: string): readonly string[] {
  return attempt(() => readdirSync(directory)) ?? [];
}

function linkOf(path: string): string | undefined {
  return attempt(() => readlinkSync(path));
}

function nameOf(pid: string): string {
  return attempt(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) ?? 'process';
}

/** Processes end while they are looked at, and those of others cannot be. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
