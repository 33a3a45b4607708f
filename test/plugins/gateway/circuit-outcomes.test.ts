import { expect } from 'chai';
import { CircuitBreaker } from '../../../plugins/gateway/circuits/circuit-breaker.ts';
import type { CallErrorCode, CallOutcome } from '../../../plugins/invocation/contract.ts';

const settings = {
  breaker_failures: 3,
  breaker_open_ms: 1000,
};

const failed = (code: CallErrorCode): CallOutcome => ({ ok: false, code, message: 'It failed.', seconds: 0 });

describe('a circuit', () => {
  let elapsed: number;
  let circuit: CircuitBreaker;
  beforeEach(() => {
    elapsed = 0;
    circuit = new CircuitBreaker(settings, { now: () => elapsed, elapsed: () => elapsed }, () => undefined);
  });

  const fail = (code: CallErrorCode) => circuit.run(async () => failed(code));
  const openIt = async (): Promise<void> => {
    for (let n = 0; n < 3; n += 1) await fail('upstream_timeout');
  };

  it('opens after failures in a row between which clients went away', async () => {
    await fail('upstream_timeout');
    await fail('upstream_timeout');
    expect(await fail('canceled')).to.include({ code: 'canceled' });
    expect(circuit.refusesUntil()).to.equal(undefined);
    await fail('upstream_timeout');
    expect(circuit.refusesUntil()).to.be.within(1, 1200);
  });

  it('stays closed when only clients went away', async () => {
    for (let n = 0; n < 10; n += 1) await fail('canceled');
    expect(circuit.refusesUntil()).to.equal(undefined);
  });

  it('leaves it to the trial call whether it closes, whatever becomes of calls that were sent before it opened', async () => {
    let end!: (outcome: CallOutcome) => void;
    const early = circuit.run(() => new Promise((resolve) => (end = resolve)))!;
    await openIt();
    elapsed = 1200;
    let close!: (outcome: CallOutcome) => void;
    const trial = circuit.run(() => new Promise((resolve) => (close = resolve)))!;
    end(failed('upstream_error'));
    expect(await early).to.include({ code: 'upstream_error' });
    close({ ok: true, output: {}, seconds: 0 });
    await trial;
    expect(circuit.refusesUntil()).to.equal(undefined);
  });

  it('stays open when the service stopped before the trial call was answered', async () => {
    await openIt();
    elapsed = 1200;
    expect(await fail('interrupted')).to.include({ code: 'interrupted' });
    expect(circuit.refusesUntil()).to.be.above(1200);
  });

  it('stays open when the trial call could not be sent', async () => {
    await openIt();
    elapsed = 1200;
    const unsent = circuit.run(() => Promise.reject(new Error('The store is away.')))!;
    expect(await unsent.catch((error: Error) => error.message)).to.equal('The store is away.');
    expect(circuit.refusesUntil()).to.be.above(1200);
  });

  it('stays open for as long as before when the client of the trial call went away', async () => {
    await openIt();
    for (let trial = 0; trial < 3; trial += 1) {
      elapsed += 1200;
      expect(await fail('canceled')).to.include({ code: 'canceled' });
      expect(circuit.refusesUntil()! - elapsed).to.be.within(1000, 1200);
    }
  });
});
