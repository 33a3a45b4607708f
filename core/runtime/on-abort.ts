const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when a signal aborts, and answers how to call it off; one that has aborted already is not told of. For
 * signals that outlive many who listen: a listener of its own, added and removed, costs each two to four times as much.
 */
export function onAbort(signal: AbortSignal, tell: () => void): () => void {
  const all = waiting.get(signal) ?? listenersOf(signal);
  all.add(tell);
  return () => all.delete(tell);
}

/** How many wait for a signal; for tests. */
export function waitingFor(signal: AbortSignal): number {
  return waiting.get(signal)?.size ?? 0;
}

function listenersOf(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>();
  waiting.set(signal, all);
  signal.addEventListener('abort', () => {
    for (const tell of all) tell();
    all.clear();
  });
  return all;
}
