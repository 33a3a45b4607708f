import { expect } from 'chai';
import { getEventListeners } from 'node:events';
import { grownOldBy } from '../../support/old-generation.ts';
import { onAbort, waitingFor } from '../../../core/support/on-abort.ts';

describe('listening for the abort of a signal', () => {
  it('tells all that wait, once', () => {
    const controller = new AbortController();
    const told: string[] = [];
    onAbort(controller.signal, () => told.push('ada'));
    onAbort(controller.signal, () => told.push('bob'));
    controller.abort();
    controller.abort();
    expect(told).to.deep.equal(['ada', 'bob']);
    expect(waitingFor(controller.signal)).to.equal(0);
  });

  it('tells nobody who has called it off, before or meanwhile', () => {
    const controller = new AbortController();
    const told: string[] = [];
    const forgetAda = onAbort(controller.signal, () => told.push('ada'));
    onAbort(controller.signal, () => forgetBob());
    const forgetBob = onAbort(controller.signal, () => told.push('bob'));
    forgetAda();
    controller.abort();
    expect(told).to.deep.equal([]);
  });

  it('has one listener for all who come and go', () => {
    const { signal } = new AbortController();
    for (let turn = 0; turn < 20; turn += 1) {
      const callOff = onAbort(signal, () => undefined);
      if (turn > 0) callOff();
    }
    expect(getEventListeners(signal, 'abort')).to.have.length(1);
    expect(waitingFor(signal)).to.equal(1);
  });

  it('leaves nothing behind of those who came and went', async () => {
    const { signal } = new AbortController();
    expect(await grownOldBy(() => onAbort(signal, () => undefined)())).to.be.below(20);
  });
});
