import { expect } from 'chai';
import { Circuit, type CircuitSettings } from '../../../plugins/gateway/circuits/circuit.ts';
import { OpenTime } from '../../../plugins/gateway/circuits/open-time.ts';
import { GatewaySettings } from '../../../plugins/gateway/config.ts';
import type { CallOutcome } from '../../../plugins/invocation/contract.ts';

/** The times of a circuit whose trials fail. */
function times(count: number, base: number, longest: number): readonly number[] {
  const found = [new OpenTime(base, longest)];
  while (found.length < count) found.push(found.at(-1)!.next());
  return found.map(({ duration }) => duration);
}

/** So many that all of them are equal by chance once in more than a universe. */
const MANY = 50;

describe('the times for which a circuit stays open', () => {
  it('double each time, and are up to a fifth longer', () => {
    for (const [n, duration] of times(8, 100, 1_000_000).entries()) {
      expect(duration).to.be.within(100 * 2 ** n, 120 * 2 ** n);
    }
  });

  it('are never longer than the longest, nor shorter than that without its fifth', () => {
    for (const duration of times(MANY, 100, 1000).slice(4)) expect(duration).to.be.within(1000 / 1.2, 1000);
  });

  it('differ by chance, at first and when they are the longest', () => {
    const first = Array.from({ length: MANY }, () => new OpenTime(2000, 300_000).duration);
    const longest = times(MANY, 2000, 300_000).slice(8);
    expect(new Set(first).size).to.be.greaterThan(1);
    expect(new Set(longest).size).to.be.greaterThan(1);
  });
});

describe('a circuit with the settings as they are by default', () => {
  const failure: CallOutcome = { ok: false, code: 'upstream_timeout', message: 'It failed.', seconds: 0 };
  let elapsed: number;
  let circuit: Circuit;
  beforeEach(() => {
    elapsed = 0;
    const defaults = Object.entries(GatewaySettings.settings).map(([key, { default: value }]) => [
      key,
      value,
    ]);
    const settings = Object.fromEntries(defaults) as CircuitSettings;
    circuit = new Circuit(settings, { now: () => elapsed, elapsed: () => elapsed }, () => undefined);
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
