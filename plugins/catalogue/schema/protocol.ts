import type { SchemaFinding } from '../contract.ts';

/** What a worker is asked: whether a schema is acceptable, or whether a value satisfies it. */
export interface SchemaTask {
  /** Names the task in progress messages. */
  readonly id: number;
  /** Names the schema: a worker keeps what it compiled. */
  readonly key: string;
  /** JSON text. */
  readonly schema: string;
  /** JSON text; without it the schema itself is checked. */
  readonly value?: string;
}

/** Sent by a worker when it begins with a task, and when it has compiled the schema and begins to check. */
export interface SchemaProgress {
  readonly id: number;
  readonly step: 'compile' | 'check';
}

/** What a task answers; empty when nothing is wrong. */
export type SchemaFindings = readonly SchemaFinding[];
