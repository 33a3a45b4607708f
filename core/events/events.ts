import type { Static, TSchema } from 'typebox';
import { token, type Dependencies, type Resolved } from '../di/token.ts';

declare const carried: unique symbol;

/** A fact in the past tense, plain JSON, emitted after commit, at most once, in this process. */
export interface EventType<T = unknown> {
  readonly kind: 'event';
  /** `<plugin>:<what-happened>`. */
  readonly id: string;
  /** The schema of the payload, for its type and for the reference of events. Payloads are not validated. */
  readonly schema: TSchema;
  /** What happened: one sentence of the reference. */
  readonly description: string;
  readonly [carried]?: T;
}

/** Declares an event. List it under `events.emits`. */
export function defineEvent<S extends TSchema>(
  id: string,
  schema: S,
  description: string,
): EventType<Static<S>> {
  return { kind: 'event', id, schema, description };
}

/** A listener of a plugin. One that fails is logged and counted, and does not affect others. */
export interface Listener {
  readonly event: EventType;
  readonly deps: Dependencies;
  readonly handle: (payload: never, deps: never) => void | Promise<void>;
}

/** Declares a listener. List it under `events.listens`. */
export function listen<T, D extends Dependencies>(
  event: EventType<T>,
  definition: { readonly deps: D; readonly handle: (payload: T, deps: Resolved<D>) => void | Promise<void> },
): Listener {
  return { event, deps: definition.deps, handle: definition.handle as never };
}

/** Passes events to the listeners of this process. Events are not stored and do not reach other instances. */
export interface EventBus {
  /**
   * Emits an event. Call it after the commit; listeners run later, never in the caller's stack. Events have no effect once
   * plugins are being stopped.
   */
  emit<T>(event: EventType<T>, payload: NoInfer<T>): void;
}

/** The event bus of this process. */
export const EVENTS = token<EventBus>('core:events');
