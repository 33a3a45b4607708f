import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { token, type Clock, type Database, type Logger } from '../../core/index.ts';
import type { RecordBacklog, TimeRollup, TimeRollups } from '../invocation/contract.ts';
import { LOAD_FIGURES, loadRollup, type LoadFigure } from './load-figures.ts';
import type { Load } from './system-load.ts';

/** As often as the load is measured. */
const SAMPLE_MS = 5_000;
/** Often enough for charts that are watched, and so seldom that it is a small part of what is written. */
const SAMPLES_PER_WRITE = 3;
const MINUTE_MS = 60_000;
/** How often the loop is asked, in milliseconds. What it reports has this in it. */
const LOOP_RESOLUTION_MS = 20;

interface LoadSamplerDeps {
  readonly load: { now(): Load };
  readonly rollups: TimeRollups | undefined;
  readonly backlog: RecordBacklog | undefined;
  readonly database: Pick<Database, 'size' | 'write'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Measurements of a figure that are not written yet. */
interface Sum {
  readonly samples: number;
  readonly total: number;
  readonly highest: number;
}

export const LOAD_SAMPLER = token<LoadSampler>('monitoring:load-sampler');

/**
 * Keeps the load of this process and its machine over time. What cannot be written is lost, so that an outage of the database
 * is a gap. Does nothing without the plugin `invocation`, which has the points of series.
 */
export class LoadSampler {
  readonly #deps: LoadSamplerDeps;
  readonly #rollup: TimeRollup | undefined;
  readonly #loop: IntervalHistogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  #sums = new Map<LoadFigure, Sum>();
  #at = 0;
  #samples = 0;
  #sizedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: LoadSamplerDeps) {
    this.#deps = deps;
    this.#rollup = deps.rollups?.keep(loadRollup);
  }

  start(): void {
    if (!this.#rollup) return;
    this.#loop.enable();
    this.#timer = setInterval(() => void this.sample(), SAMPLE_MS).unref();
  }

  /** Writes what is not written yet. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#loop.disable();
    await this.#write();
  }

  /** Measures once, and writes now and then. */
  async sample(): Promise<void> {
    const now = this.#deps.clock.now();
    // A write is about one minute.
    if (Math.floor(now / MINUTE_MS) !== Math.floor(this.#at / MINUTE_MS)) await this.#write();
    this.#at = now;
    for (const [figure, value] of Object.entries(await this.#measure(now))) {
      this.#add(figure as LoadFigure, value);
    }
    this.#samples += 1;
    if (this.#samples >= SAMPLES_PER_WRITE) await this.#write();
  }

  async #measure(now: number): Promise<Partial<Record<LoadFigure, number>>> {
    const { load, backlog, database } = this.#deps;
    const delay = this.#loop.max / 1e6 - LOOP_RESOLUTION_MS;
    this.#loop.reset();
    const measured = {
      ...load.now(),
      event_loop_delay: Math.max(0, delay) / 1000,
      process_memory_bytes: process.memoryUsage.rss(),
      ...(backlog && { records_waiting: backlog.state.waiting, spooled_batches: backlog.state.spooled }),
    };
    if (now - this.#sizedAt < MINUTE_MS) return measured;
    this.#sizedAt = now;
    const size = await database.size().catch(() => undefined);
    return size === undefined ? measured : { ...measured, database_bytes: size };
  }

  #add(figure: LoadFigure, value: number): void {
    const units = Math.round(value * LOAD_FIGURES[figure]);
    const { samples, total, highest } = this.#sums.get(figure) ?? { samples: 0, total: 0, highest: 0 };
    this.#sums.set(figure, {
      samples: samples + 1,
      total: total + units,
      highest: Math.max(highest, units),
    });
  }

  async #write(): Promise<void> {
    const { database, logger } = this.#deps;
    const sums = this.#sums;
    this.#sums = new Map();
    this.#samples = 0;
    if (!this.#rollup || sums.size === 0) return;
    const rows = Array.from(
      sums,
      ([figure, { samples, total, highest }]) => [this.#at, figure, samples, total, highest] as const,
    );
    try {
      await database.write([this.#rollup.append(rows)]);
    } catch (error) {
      logger.debug({ err: error }, 'The load of the last seconds could not be kept.');
    }
  }
}
