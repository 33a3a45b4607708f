/**
 * Stops all of the processes but one with SIGSTOP, as if they were not there: an idle service tidies its memory for
 * seconds after its load, on the core that it shares with what is measured next.
 */
export function onlyAwake(pids: readonly number[], awake: number | undefined): void {
  for (const pid of pids) process.kill(pid, pid === awake ? 'SIGCONT' : 'SIGSTOP');
}

/** Wakes all of them. */
export function allAwake(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGCONT');
}
