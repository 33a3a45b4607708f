import type { SchemaFinding } from '../contract.ts';

/** A task of a worker: whether a schema is acceptable, or whether a value satisfies it. */
export interface SchemaTask {
  /** Identifies the task in progress messages. */
  readonly id: number;
  /** Identifies the schema, because workers cache compiled schemas. */
  readonly key: string;
  /** The schema as JSON text. */
  readonly schema: string;
  /** The value as JSON text; without it the schema itself is checked. */
  readonly value?: string;
}

/** Sent by a worker when it starts a task, and when it has compiled the schema and starts to check. */
export interface SchemaProgress {
  readonly id: number;
  readonly step: 'compile' | 'check';
}

/** The result of a task; empty without faults. */
export type SchemaFindings = readonly SchemaFinding[];
