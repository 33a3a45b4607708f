/**
 * Calls back after `milliseconds`, and answers a function that cancels it. Node runs timers before it reads sockets and
 * messages of threads, so the callback waits one turn: an answer that arrived while the process was busy is read first.
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
 * Waits for `work`, at most for `milliseconds`. Then it answers what `late` returns, or throws what `late` throws, and the
 * work goes on unattended.
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
