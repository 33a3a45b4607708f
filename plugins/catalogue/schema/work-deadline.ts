import { setDeadline } from '../../../core/index.ts';

/** However busy the machine is, nobody waits longer than so many times the deadline. */
const MOST_PATIENCE = 5;

/**
 * Calls back when a worker has had so many milliseconds to work, and answers how to call it off. On a busy machine a
 * thread may hardly run at all, so what counts is the processor time that this process got, up to five times the wait.
 */
export function afterWorkOf(milliseconds: number, tooLate: () => void): () => void {
  const before = process.cpuUsage();
  let waited = 0;
  let callOff: () => void;
  const wait = (forMs: number): void => {
    waited += forMs;
    callOff = setDeadline(forMs, judge);
  };
  const judge = (): void => {
    const { user, system } = process.cpuUsage(before);
    const missing = milliseconds - (user + system) / 1000;
    if (missing < 1 || waited >= milliseconds * MOST_PATIENCE) tooLate();
    else wait(Math.min(missing, milliseconds));
  };
  wait(milliseconds);
  return () => callOff();
}
