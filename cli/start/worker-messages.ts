import type { MetricsSnapshot } from '../../core/telemetry/metrics-snapshot.ts';

/** A message from a worker to its supervisor. */
export type WorkerMessage =
  /** The worker serves; with the lines to print. */
  | { readonly lines: readonly string[] }
  /** The worker was scraped and requests the metrics of all workers. */
  | { readonly ask: number }
  /** The metrics of the worker for a collection. */
  | { readonly collection: number; readonly snapshot: MetricsSnapshot };

/** A message from the supervisor to a worker. */
export type SupervisorMessage =
  /** Requests the metrics of the worker. */
  | { readonly collection: number }
  /** The metrics of all workers, in answer to `ask`. */
  | { readonly answerTo: number; readonly metrics: string };
