/** How often a fault is repeated: few in an ordinary run, as many as `PROMISE_CYCLES` says in a long one. */
export function cyclesOr(ordinary: number): number {
  return Number(process.env['PROMISE_CYCLES'] ?? ordinary);
}
