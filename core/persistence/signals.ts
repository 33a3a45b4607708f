import { token } from '../di/token.ts';

/**
 * Tells every instance on the same database that something changed, so that what it remembers is forgotten:
 * at once in this process, within 2 s in all others (LISTEN/NOTIFY on PostgreSQL).
 */
export interface Signals {
  /** Call it after the commit. `key` is at most 200 characters. Local subscribers have run when this returns. */
  publish(topic: string, key: string): Promise<void>;
  /** `key` is `undefined` when messages may have been missed: forget everything of the topic. */
  subscribe(topic: string, forget: (key: string | undefined) => void): void;
}

export const SIGNALS = token<Signals>('core:signals');
