import type { Figures } from '../telemetry/figures.ts';

/** From a worker to its supervisor. */
export type WorkerMessage =
  /** It serves; what to say of that. */
  | { readonly lines: readonly string[] }
  /** Somebody asks it for the metrics of all. */
  | { readonly ask: number }
  /** Its part of a collection. */
  | { readonly collection: number; readonly figures: Figures };

/** From the supervisor to a worker. */
export type SupervisorMessage =
  /** Tell your figures for this collection. */
  | { readonly collection: number }
  /** The metrics of all, in answer to a question. */
  | { readonly answerTo: number; readonly metrics: string };
