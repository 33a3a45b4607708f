import { setTimeout as pause } from 'node:timers/promises';

/** Waits for work, but no longer than so many milliseconds: it then goes on unattended. Throws what it throws until then. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown> | undefined): Promise<void> {
  const giveUp = new AbortController();
  try {
    await Promise.race([
      work,
      pause(milliseconds, undefined, { signal: giveUp.signal }).catch(() => undefined),
    ]);
  } finally {
    giveUp.abort();
  }
}
