/** Timers that ring when the test says so, however fast the machine is. */
export interface HeldTimers {
  /** Rings what is due this many milliseconds after it was set. */
  ringUpTo(ms: number): void;
  /** Timers that are set from now on ring by themselves; what is held still waits for the test. */
  release(): void;
}

/** Holds the timers that are set from now on. Clients and servers set some of their own, so release them soon. */
export function holdTimers(): HeldTimers {
  const { setTimeout: original } = globalThis;
  let held: { readonly ms: number; readonly ring: () => void }[] = [];
  const hold = (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
    const timer = { ms, ring: () => callback(...values) };
    held.push(timer);
    return timer;
  };
  Object.assign(globalThis, { setTimeout: hold });
  return {
    ringUpTo: (ms) => {
      const due = held.filter((timer) => timer.ms <= ms).toSorted((one, other) => one.ms - other.ms);
      held = held.filter((timer) => timer.ms > ms);
      for (const { ring } of due) ring();
    },
    release: () => void Object.assign(globalThis, { setTimeout: original }),
  };
}
