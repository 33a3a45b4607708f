import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { token, type Clock, type Logger, type Metrics } from '../../core/index.ts';
import { CpuMeter } from './cpu.ts';
import { gauges } from './metrics.ts';
import { percent } from './percent.ts';

/** Often enough for an alert, and seldom enough to cost nothing. */
const SAMPLE_MS = 5000;

/** Measured percentages from 0 to 100. */
export interface Load {
  readonly cpu_percent: number;
  readonly memory_percent: number;
  readonly disk_percent: number;
}

export const SYSTEM_LOAD = token<SystemLoad>('monitoring:system-load');

interface SystemLoadDeps {
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Measures the load in the background, so that answers do not wait for a measurement. */
export class SystemLoad {
  readonly #deps: SystemLoadDeps;
  readonly #cpu: CpuMeter;
  #timer: NodeJS.Timeout | undefined;
  #last: Load = { cpu_percent: 0, memory_percent: 0, disk_percent: 0 };

  constructor(deps: SystemLoadDeps) {
    this.#deps = deps;
    this.#cpu = new CpuMeter(deps.clock);
  }

  /** The last measurement. */
  now(): Load {
    return this.#last;
  }

  /** Starts measuring. Resolves after the first measurement. */
  async start(): Promise<void> {
    await this.#measure();
    this.#timer = setInterval(() => void this.#measure(), SAMPLE_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #measure(): Promise<void> {
    const { dataDirectory, metrics, logger } = this.#deps;
    try {
      this.#last = {
        cpu_percent: this.#cpu.percent(),
        memory_percent: memoryPercent(),
        disk_percent: await diskPercent(dataDirectory),
      };
      for (const { name, of } of gauges) metrics.gauge(name).set(this.#last[of] / 100);
    } catch (error) {
      logger.warn(
        { err: error },
        'Processor, memory or disk could not be measured; the next measurement tries again.',
      );
    }
  }
}

/** The used memory of the container's limit, or of the machine. Memory that the kernel can reclaim counts as free. */
function memoryPercent(): number {
  const limit = process.constrainedMemory();
  const total = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return percent(total - Math.min(process.availableMemory(), total), total);
}

/** The used disk as `df` counts it: blocks reserved for root are not available. */
async function diskPercent(path: string): Promise<number> {
  const { blocks, bfree, bavail } = await statfs(path);
  const used = blocks - bfree;
  return percent(used, used + bavail);
}
