/** How often a fault is repeated: few in an ordinary run, as many as `PROMISE_CYCLES` says in a long one. */
export function cyclesOr(ordinary: number): number {
  return Number(process.env['PROMISE_CYCLES'] ?? ordinary);
}

/** How many calls are acknowledged before each fault, at least: few, or as many as `PROMISE_CALLS` says. */
export function callsOr(ordinary: number): number {
  return Number(process.env['PROMISE_CALLS'] ?? ordinary);
}
