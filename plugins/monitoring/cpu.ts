import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Clock } from '../../core/index.ts';
import { percent } from './percent.ts';

/** Processor time so far, in any unit: what was used, and what there was to use. */
interface CpuTime {
  readonly used: number;
  readonly available: number;
}

const CGROUP = '/sys/fs/cgroup';

/** Measures how much of the processor was used between two questions. */
export class CpuMeter {
  readonly #read: () => CpuTime;
  #last: CpuTime = { used: 0, available: 0 };

  /** Looks at the container's own share where it has one (cgroup v2), else at the whole machine. */
  constructor(clock: Clock, cgroup = CGROUP) {
    const cores = containerCores(cgroup);
    this.#read = cores === undefined ? machineTime : () => containerTime(cgroup, cores, clock.elapsed());
  }

  /** Since the last question; at the first one, since the machine or the container started. */
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

/** How many processors' worth of time the container may use; undefined where nothing limits it. */
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
