import { useSyncExternalStore } from 'react';
import { apiUrl } from '../place.ts';

const PAUSE_MS = 3000;

let isAway = false;
let waiting: Promise<void> | undefined;
const listeners = new Set<() => void>();

function setAway(value: boolean): void {
  isAway = value;
  for (const listener of listeners) listener();
}

async function answers(): Promise<boolean> {
  try {
    const { status } = await fetch(`${apiUrl}/users/registration`, { cache: 'no-store' });
    return status < 500;
  } catch {
    return false;
  }
}

async function wait(): Promise<void> {
  if (await answers()) return;
  setAway(true);
  do {
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE_MS);
      addEventListener('online', resolve, { once: true });
    });
  } while (!(await answers()));
  setAway(false);
}

/** Asks until the service answers, and has the page say meanwhile that it is away. */
export function untilBack(): Promise<void> {
  waiting ??= wait().finally(() => (waiting = undefined));
  return waiting;
}

export function useIsAway(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isAway,
  );
}
