import { expect } from 'chai';
import { CircuitBreaker, type CircuitSettings } from '../../../plugins/gateway/circuits/circuit-breaker.ts';
import { GatewaySettings } from '../../../plugins/gateway/config.ts';
import type { CallOutcome } from '../../../plugins/invocation/contract.ts';

const failure: CallOutcome = { ok: false, code: 'upstream_timeout', message: 'It failed.', seconds: 0 };

/** The open times of a circuit whose trials fail, in milliseconds. */
async function openTimes(count: number, openMs: number): Promise<readonly number[]> {
  let elapsed = 0;
  const settings = { breaker_failures: 1, breaker_open_ms: openMs };
  const clock = { now: () => elapsed, elapsed: () => elapsed };
  const circuit = new CircuitBreaker(settings, clock, () => undefined);
  const found = [];
  while (found.length < count) {
    await circuit.run(async () => failure);
    const leftMs = circuit.refusesUntil()! - elapsed;
    found.push(leftMs);
    elapsed += leftMs;
  }
  return found;
}

/** With this number of times it is next to impossible that all of them are equal by chance. */
const MANY = 50;

describe('the times for which a circuit stays open', () => {
  it('double each time, and are up to a fifth longer', async () => {
    for (const [n, openMs] of (await openTimes(8, 100)).entries()) {
      expect(openMs).to.be.within(100 * 2 ** n, 120 * 2 ** n + 1);
    }
  });

  it('are never longer than five minutes, nor shorter than that without its fifth', async () => {
    for (const openMs of (await openTimes(MANY, 20_000)).slice(4)) {
      expect(openMs).to.be.within(250_000, 300_000);
    }
  });

  it('differ by chance, at first and when they are the longest', async () => {
    const first = await Promise.all(Array.from({ length: MANY }, () => openTimes(1, 2000)));
    const longest = (await openTimes(MANY, 2000)).slice(8);
    expect(new Set(first.flat()).size).to.be.greaterThan(1);
    expect(new Set(longest).size).to.be.greaterThan(1);
  });
});

describe('a circuit with the settings as they are by default', () => {
  let elapsed: number;
  let circuit: CircuitBreaker;
  beforeEach(() => {
    elapsed = 0;
    const defaults = Object.entries(GatewaySettings.settings).map(([key, { default: value }]) => [
      key,
      value,
    ]);
    const settings = Object.fromEntries(defaults) as CircuitSettings;
    circuit = new CircuitBreaker(settings, { now: () => elapsed, elapsed: () => elapsed }, () => undefined);
  });

  const fail = async (count: number, everyMs = 0): Promise<void> => {
    for (let n = 0; n < count; n++) {
      await circuit.run(async () => failure);
      elapsed += everyMs;
    }
  };
  const openMs = (): number => (circuit.refusesUntil() ?? elapsed) - elapsed;

  it('opens after five failures in a row, for two seconds and a little', async () => {
    await fail(4);
    expect(openMs()).to.equal(0);
    await fail(1);
    expect(openMs()).to.be.within(2000, 2400);
  });

  it('opens for failures that lie within thirty seconds alone', async () => {
    await fail(20, 7500);
    expect(openMs()).to.equal(0);
    elapsed += 60_000;
    await fail(4, 7000);
    await fail(1);
    expect(openMs()).to.be.within(2000, 2400);
  });

  it('stays open for at most five minutes', async () => {
    await fail(5);
    for (let trial = 0; trial < 12; trial++) {
      elapsed += openMs();
      await fail(1);
    }
    expect(openMs()).to.be.within(250_000, 300_000);
  });
});
