import type { Wiring } from '../di/container.ts';
import type { LocalEventBus } from '../events/event-bus.ts';
import type { Plan } from './plan.ts';

/** Subscribes every plugin's listeners, each with its own dependencies. */
export function subscribeListeners(plan: Plan, bus: LocalEventBus, wiring: Wiring): void {
  for (const { definition } of plan.plugins) {
    for (const { event, deps, handle } of definition.events?.listens ?? []) {
      const resolved = wiring.resolve(definition.id, deps);
      bus.listen(event, definition.id, (payload) => handle(payload as never, resolved as never));
    }
  }
}
