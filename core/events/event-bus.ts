import type { Clock } from '../support/clock.ts';
import { withDeadline } from '../support/deadline.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { MetricDeclaration } from '../telemetry/metrics.ts';
import { LogLimiter } from '../telemetry/log-limiter.ts';
import type { EventBus, EventType } from './events.ts';

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

/** A listener, and the events that it has not handled. */
interface Listening {
  readonly where: EventFailure;
  readonly handle: (payload: unknown) => void | Promise<void>;
  readonly drops: LogLimiter;
  queued: number;
  /** Resolves when it has handled the event that was queued last. */
  last: Promise<void>;
}

/** Creates an event bus within this process: at most once, in order per listener, never in the stack of the emitter. */
export function createEventBus(options: EventBusOptions): LocalEventBus {
  const listeners: Listening[] = [];
  const isBusy = (listener: Listening): boolean => listener.queued > 0;
  let isClosed = false;

  const idle = async (): Promise<void> => {
    while (listeners.some(isBusy)) await Promise.all(listeners.map(({ last }) => last));
  };

  const deliver = async ({ where, handle }: Listening, payload: unknown): Promise<void> => {
    if (isClosed) return;
    try {
      await handle(payload);
    } catch (error) {
      options.logger.error({ ...where, err: error }, 'A listener failed');
      options.onFailure?.(where);
    }
  };

  const queue = (listener: Listening, payload: unknown): void => {
    if (listener.queued >= (options.capacity ?? 10_000)) return drop(listener, options);
    listener.queued += 1;
    listener.last = listener.last.then(async () => {
      await deliver(listener, payload);
      listener.queued -= 1;
    });
  };

  const late = (deadlineMs: number) => (): never => {
    const busy = new Set(listeners.filter(isBusy).map(({ where }) => where.plugin));
    throw new Error(`Listeners of ${[...busy].join(', ')} did not end within ${deadlineMs / 1000} s.`);
  };

  return {
    emit(event, payload) {
      if (isClosed) return;
      for (const listener of listeners) {
        // Each has a copy of its own, so that none changes what others get.
        if (listener.where.event === event.id) queue(listener, copyOf(event, payload));
      }
    },

    listen(event, plugin, handle) {
      listeners.push({
        where: { event: event.id, plugin },
        handle: handle as Listening['handle'],
        drops: new LogLimiter(options.clock),
        queued: 0,
        last: Promise.resolve(),
      });
    },

    idle,

    async close(deadlineMs) {
      try {
        await withDeadline(deadlineMs, idle(), late(deadlineMs));
      } finally {
        isClosed = true;
      }
    },
  };
}

function copyOf<T>({ id }: EventType, payload: T): T {
  try {
    return structuredClone(payload);
  } catch (error) {
    const reason = (error as Error).message;
    throw new TypeError(`The payload of the event "${id}" is not plain JSON: ${reason}`, { cause: error });
  }
}

/** Counts a dropped event; logs at most once a second how many there were. */
function drop({ where, drops }: Listening, { logger, onFailure }: EventBusOptions): void {
  onFailure?.(where);
  const dropped = drops.add();
  if (dropped > 0) logger.error({ ...where, dropped }, 'A listener is too far behind; events were dropped');
}
