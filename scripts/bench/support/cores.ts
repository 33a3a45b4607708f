import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Where a process runs: what is measured on the first core, load and upstream on the second, or anywhere. */
export type Place = 'server' | 'load' | 'any';

const CORES: Readonly<Record<Exclude<Place, 'any'>, string>> = { server: '0', load: '1' };

/** Whether processes can be held to cores: on Linux with `taskset` and two cores. */
export const canPin = availableParallelism() > 1 && hasTaskset();

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The command line that runs a program at its place. */
export function placed(place: Place, program: string, args: readonly string[]): [string, string[]] {
  if (place === 'any' || !canPin) return [program, [...args]];
  return ['taskset', ['-c', CORES[place], program, ...args]];
}
