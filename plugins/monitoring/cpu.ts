import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Clock } from '../../core/index.ts';
import { percent } from './percent.ts';

/** Processor time so far, used and available, in the same unit. */
interface CpuTime {
  readonly used: number;
  readonly available: number;
}

const CGROUP = '/sys/fs/cgroup';

/** Measures the use of the processor between two calls. */
export class CpuMeter {
  readonly #read: () => CpuTime;
  #last: CpuTime = { used: 0, available: 0 };

  /** Measures the container where it has a limit (cgroup v2), otherwise the whole machine. */
  constructor(clock: Clock, cgroup = CGROUP) {
    const cores = containerCores(cgroup);
    this.#read = cores === undefined ? machineTime : () => containerTime(cgroup, cores, clock.elapsed());
  }

  /** The percentage since the last call; at the first call, since the machine or the container started. */
  percent(): number {
    const now = this.#read();
    const { used, available } = this.#last;
    this.#last = now;
    return percent(now.used - used, now.available - available);
  }
}

function machineTime(): CpuTime {
  const times = cpus().map((cpu) => cpu.times);
  const available = times.reduce(
    (sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq,
    0,
  );
  return { available, used: available - times.reduce((sum, { idle }) => sum + idle, 0) };
}

/** The number of processors that the container may use; `undefined` without a limit. */
function containerCores(cgroup: string): number | undefined {
  try {
    const [quota, period] = readFileSync(`${cgroup}/cpu.max`, 'utf8').trim().split(' ').map(Number);
    return quota && period ? quota / period : undefined;
  } catch {
    return undefined;
  }
}

function containerTime(cgroup: string, cores: number, elapsedMs: number): CpuTime {
  const [, used = '0'] = /usage_usec (\d+)/.exec(readFileSync(`${cgroup}/cpu.stat`, 'utf8')) ?? [];
  return { used: Number(used), available: elapsedMs * 1000 * cores };
}
