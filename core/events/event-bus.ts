import type { Logger } from '../telemetry/logger.ts';
import type { MetricDeclaration } from '../telemetry/metrics.ts';
import { EventQueue } from './event-queue.ts';
import type { EventBus, EventType } from './events.ts';
import { plainCopy } from './plain-copy.ts';

/** Counts what `onFailure` reports. */
export const EventFailuresMetric: MetricDeclaration = {
  kind: 'counter',
  name: 'event_listener_failures_total',
  help: 'Events that a listener failed to handle or that were dropped because it was too far behind.',
  labels: ['event', 'plugin'],
};

export interface EventFailure {
  readonly event: string;
  /** The plugin that listens. */
  readonly plugin: string;
  readonly error: unknown;
}

export interface EventBusOptions {
  readonly logger: Logger;
  /** Told after the failure was logged. */
  readonly onFailure?: (failure: EventFailure) => void;
  /** Events that may wait for one listener; more are dropped, logged and counted. */
  readonly capacity?: number;
}

/** The bus as the kernel holds it. */
export interface LocalEventBus extends EventBus {
  /** Adds a listener; each has a queue of its own, so that a slow or failing one hurts nobody. */
  listen<T>(event: EventType<T>, plugin: string, handle: (payload: T) => void | Promise<void>): void;
  /** Resolves when every listener has handled what was told so far, and what that caused. */
  idle(): Promise<void>;
}

/** An event bus within this process: at most once, in order per listener, never in the stack of the teller. */
export function createEventBus({ logger, onFailure, capacity = 10_000 }: EventBusOptions): LocalEventBus {
  const queues = new Map<string, EventQueue[]>();

  const failed = (event: string, plugin: string) => (error: unknown) => {
    logger.error({ event, plugin, err: error }, 'A listener failed');
    onFailure?.({ event, plugin, error });
  };

  return {
    emit(event, payload) {
      const listening = queues.get(event.id);
      if (!listening) return;
      const copy = plainCopy<unknown>(payload);
      for (const queue of listening) queue.add(copy);
    },

    listen(event, plugin, handle) {
      const queue = new EventQueue(handle as (payload: unknown) => void, failed(event.id, plugin), capacity);
      queues.set(event.id, [...(queues.get(event.id) ?? []), queue]);
    },

    async idle() {
      const all = [...queues.values()].flat();
      while (all.some((queue) => queue.busy)) await Promise.all(all.map((queue) => queue.idle()));
    },
  };
}
