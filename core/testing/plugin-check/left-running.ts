import { setTimeout as pause } from 'node:timers/promises';

/** What keeps a process alive and what it is called in a sentence. */
const WATCHED: Readonly<Record<string, string>> = {
  Timeout: 'a timer',
  TCPServerWrap: 'an open port',
  FSEventWrap: 'a watched file',
  ProcessWrap: 'a child process',
};
/** Connections and threads may take a moment to end. */
const PATIENCE_MS = 2_000;
const STEP_MS = 20;

type Counts = ReadonlyMap<string, number>;

/** How many resources of each watched kind keep this process alive. */
export function runningNow(): Counts {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (kind in WATCHED) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** The kinds of resources, in words, of which more are left than there were before. Waits a moment for them to end. */
export async function leftRunning(before: Counts): Promise<readonly string[]> {
  for (let waited = 0; ; waited += STEP_MS) {
    const kinds = [...runningNow()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
    if (kinds.length === 0 || waited >= PATIENCE_MS) return kinds.map(([kind]) => WATCHED[kind]!);
    await pause(STEP_MS, undefined, { ref: false });
  }
}
