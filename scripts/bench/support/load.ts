import type { Place } from './cores.ts';
import { processorTime } from './processor-time.ts';
import { startProgram } from './program.ts';

/** Load on one address. */
export interface LoadOrder {
  readonly port: number;
  /** Of the process that serves the port. */
  readonly pid?: number | undefined;
  /** The bytes of the request, head and body. */
  readonly request: string;
  /** Text that every good answer contains. */
  readonly expect?: string | undefined;
  /** Connections that stay open; without `perSecond` each sends its next request when it has its answer. */
  readonly connections: number;
  readonly seconds: number;
  /**
   * So many requests fall due evenly, whether or not answers come. One that finds no free connection waits for it, and
   * its time counts from when it was due.
   */
  readonly perSecond?: number | undefined;
  /** Of requests that are due in the first so many seconds only the status counts: connections and caches are new then. */
  readonly settleSeconds?: number;
  /** Leaves what finds no free connection `unsent` instead: for more than the server can do. */
  readonly leaveUnsent?: boolean;
}

/** Times in milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** What came of it. */
export interface LoadReport {
  /** Good answers per second. */
  readonly perSecond: number;
  /** Answers by status; `wrong body`, `lost` and `unsent` have the place of one. */
  readonly answers: Readonly<Record<string, number>>;
  readonly good: Times;
  readonly refused: Times;
}

/** With what the server spent on it. */
export interface Measured extends LoadReport {
  /** Microseconds of processor time for each answer, good or not; NaN where it cannot be known. */
  readonly cost: number;
}

/** The process that makes load. */
export interface Load {
  run(order: LoadOrder): Promise<Measured>;
  /** Good answers of a port, warm-up included. */
  answered(port: number): number;
  stop(): Promise<void>;
}

/** Starts it where upstreams are, unless told otherwise. */
export async function startLoad(place: Place = 'load'): Promise<Load> {
  const program = await startProgram('load', place);
  const answered = new Map<number, number>();
  return {
    run: async (order) => {
      const before = processorTime(order.pid);
      const report = await program.ask<LoadReport>(order);
      const good = report.answers['200'] ?? 0;
      const cost = (processorTime(order.pid) - before) / (good + report.refused.count);
      answered.set(order.port, (answered.get(order.port) ?? 0) + good);
      return { ...report, cost };
    },
    answered: (port) => answered.get(port) ?? 0,
    stop: () => program.stop(),
  };
}

/** Everything but 200 makes a figure void where no refusals are expected. */
export function isVoid({ answers }: LoadReport): boolean {
  return Object.keys(answers).some((kind) => kind !== '200') || !answers['200'];
}
