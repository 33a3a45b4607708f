/**
 * Calls `onLate` after `milliseconds`, and returns a function that cancels it. Node runs timers before it reads sockets and
 * messages of threads, so the call is deferred once: an answer that arrived while the process was busy is read first.
 */
export function setDeadline(milliseconds: number, onLate: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (turn = setImmediate(onLate)), milliseconds);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}

/**
 * Waits for `work`, at most for `milliseconds`. After that it returns what `late` returns, or throws what `late` throws;
 * the work continues in the background.
 */
export async function withDeadline<T>(milliseconds: number, work: Promise<T> | T, late: () => T): Promise<T> {
  let cancel: (() => void) | undefined;
  const deadline = new Promise<void>((resolve) => (cancel = setDeadline(milliseconds, resolve))).then(late);
  try {
    return await Promise.race([work, deadline]);
  } finally {
    cancel?.();
  }
}
