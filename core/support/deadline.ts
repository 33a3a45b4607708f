/**
 * Calls back after so many milliseconds, and answers how to call it off. Timers come before sockets and threads, so a plain
 * one would find late what came in time while this process stood still: here that is read first.
 */
export function setDeadline(milliseconds: number, tooLate: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (turn = setImmediate(tooLate)), milliseconds);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}
