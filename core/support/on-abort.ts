/** In the order in which they came. No `Set`, whose old tables would keep all later ones alive until a full collection. */
const waiting = new WeakMap<AbortSignal, (() => void)[]>();

/**
 * Calls back once when a signal aborts, and answers how to call it off; one that has aborted already is not told of. For
 * signals that outlive many who listen: a listener of its own, added and removed, costs each two to four times as much.
 */
export function onAbort(signal: AbortSignal, tell: () => void): () => void {
  const all = waiting.get(signal) ?? listenersOf(signal);
  all.push(tell);
  return () => {
    const index = all.indexOf(tell);
    if (index >= 0) all.splice(index, 1);
  };
}

/** How many wait for a signal; for tests. */
export function waitingFor(signal: AbortSignal): number {
  return waiting.get(signal)?.length ?? 0;
}

function listenersOf(signal: AbortSignal): (() => void)[] {
  const all: (() => void)[] = [];
  waiting.set(signal, all);
  signal.addEventListener('abort', () => {
    for (let tell = all.shift(); tell; tell = all.shift()) tell();
  });
  return all;
}
