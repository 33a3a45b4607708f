import type { Clock } from '../support/clock.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { MetricDeclaration } from '../telemetry/metrics.ts';
import { LogLimiter } from '../telemetry/log-limiter.ts';
import { EventQueue, type Losses } from './event-queue.ts';
import type { EventBus, EventType } from './events.ts';
import { plainCopy } from './plain-copy.ts';

/** Counts the failures that `onFailure` reports. */
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
}

export interface EventBusOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Called for each event that a listener failed to handle, or that was dropped. */
  readonly onFailure?: (failure: EventFailure) => void;
  /** Events that may be queued for one listener; more are dropped, counted, and logged at most once a second. */
  readonly capacity?: number;
}

/** The event bus, with the methods that only the kernel calls. */
export interface LocalEventBus extends EventBus {
  /** Adds a listener; each has its own queue, so that a slow or failing one does not delay others. */
  listen<T>(event: EventType<T>, plugin: string, handle: (payload: T) => void | Promise<void>): void;
  /** Resolves when every listener has handled all events so far and the events that those caused. */
  idle(): Promise<void>;
  /**
   * Waits until the bus is idle, at most for `deadlineMs`; afterwards no listener is called. Throws an error that names the
   * plugins whose listeners have not finished.
   */
  close(deadlineMs: number): Promise<void>;
}

/** Creates an event bus within this process: at most once, in order per listener, never in the stack of the emitter. */
export function createEventBus(options: EventBusOptions): LocalEventBus {
  const queues = new Map<string, { readonly plugin: string; readonly queue: EventQueue }[]>();
  const all = () => [...queues.values()].flat();

  const idle = async (): Promise<void> => {
    while (all().some(({ queue }) => queue.busy)) await Promise.all(all().map(({ queue }) => queue.idle()));
  };

  const late = (deadlineMs: number) => (): never => {
    const busy = new Set(all().flatMap(({ plugin, queue }) => (queue.busy ? [plugin] : [])));
    throw new Error(`Listeners of ${[...busy].join(', ')} did not end within ${deadlineMs / 1000} s.`);
  };

  return {
    emit(event, payload) {
      const listening = queues.get(event.id);
      if (!listening) return;
      const copy = plainCopy<unknown>(payload);
      for (const { queue } of listening) queue.add(copy);
    },

    listen(event, plugin, handle) {
      const losses = lossesOf({ event: event.id, plugin }, options);
      const queue = new EventQueue(handle as (payload: unknown) => void, losses, options.capacity ?? 10_000);
      queues.set(event.id, [...(queues.get(event.id) ?? []), { plugin, queue }]);
    },

    idle,

    async close(deadlineMs) {
      try {
        await withDeadline(deadlineMs, idle(), late(deadlineMs));
      } finally {
        for (const { queue } of all()) queue.close();
      }
    },
  };
}

/** Logs each failure, and dropped events at most once a second. */
function lossesOf(where: EventFailure, { logger, clock, onFailure }: EventBusOptions): Losses {
  const drops = new LogLimiter(clock);
  return {
    failed: (error) => {
      logger.error({ ...where, err: error }, 'A listener failed');
      onFailure?.(where);
    },
    dropped: () => {
      onFailure?.(where);
      const dropped = drops.add();
      if (dropped > 0)
        logger.error({ ...where, dropped }, 'A listener is too far behind; events were dropped');
    },
  };
}
