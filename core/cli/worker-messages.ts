import type { MetricsSnapshot } from '../telemetry/metrics-snapshot.ts';

/** From a worker to its supervisor. */
export type WorkerMessage =
  /** It serves; the lines to print. */
  | { readonly lines: readonly string[] }
  /** It was scraped and asks for the metrics of all workers. */
  | { readonly ask: number }
  /** Its part of a collection. */
  | { readonly collection: number; readonly snapshot: MetricsSnapshot };

/** From the supervisor to a worker. */
export type SupervisorMessage =
  /** Asks for the metrics of the worker. */
  | { readonly collection: number }
  /** The metrics of all workers, in answer to `ask`. */
  | { readonly answerTo: number; readonly metrics: string };
