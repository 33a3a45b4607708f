import { expect } from 'chai';
import { CircuitBreaker } from '../../../plugins/gateway/circuits/circuit-breaker.ts';
import type { CallOutcome } from '../../../plugins/invocation/contract.ts';

const NOON = Date.UTC(2030, 0, 1, 12);
const TWO_HOURS_MS = 7_200_000;
const settings = {
  breaker_failures: 2,
  breaker_open_ms: 1000,
};

const failure: CallOutcome = { ok: false, code: 'upstream_error', message: 'It failed.', seconds: 0 };

describe('the time for which a circuit is open', () => {
  let elapsed: number;
  let wall: number;
  let circuit: CircuitBreaker;
  /** The first open time, which is partly random. */
  let openMs: number;
  beforeEach(async () => {
    elapsed = 0;
    wall = NOON;
    circuit = new CircuitBreaker(
      settings,
      { now: () => wall + elapsed, elapsed: () => elapsed },
      () => undefined,
    );
    await circuit.run(async () => failure);
    await circuit.run(async () => failure);
    openMs = circuit.refusesUntil()! - NOON;
  });
  const isAsked = async (): Promise<boolean> => (await circuit.run(async () => failure)) !== undefined;

  it('is reported by the wall clock', () => {
    expect(openMs).to.be.within(1000, 1200);
  });

  it('is over when it has passed', async () => {
    elapsed = openMs - 1;
    expect([await isAsked(), circuit.refusesUntil()]).to.deep.equal([false, NOON + openMs]);
    elapsed = openMs;
    expect(circuit.refusesUntil()).to.equal(undefined);
    expect(await isAsked()).to.equal(true);
  });

  it('is no longer when the wall clock is set back', async () => {
    wall = NOON - TWO_HOURS_MS;
    expect(circuit.refusesUntil()).to.equal(NOON - TWO_HOURS_MS + openMs);
    elapsed = openMs;
    expect(circuit.refusesUntil()).to.equal(undefined);
    expect(await isAsked()).to.equal(true);
  });

  it('is no shorter when the wall clock is set forward', async () => {
    wall = NOON + TWO_HOURS_MS;
    expect(circuit.refusesUntil()).to.equal(NOON + TWO_HOURS_MS + openMs);
    expect(await isAsked()).to.equal(false);
  });

  it('restarts when the trial fails', async () => {
    elapsed = openMs;
    expect(await isAsked()).to.equal(true);
    wall = NOON - TWO_HOURS_MS;
    const nextMs = circuit.refusesUntil()! - (wall + elapsed);
    elapsed += nextMs - 1;
    expect(await isAsked()).to.equal(false);
    elapsed += 1;
    expect(await isAsked()).to.equal(true);
  });
});
