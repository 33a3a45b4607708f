import { expect } from 'chai';
import { within } from '../../../core/runtime/within.ts';

const LONG_MS = 20_000;
const late = (): Error => new Error('too late');
const never = new Promise<never>(() => undefined);
const said = (work: Promise<unknown>): Promise<unknown> => work.catch((error: Error) => error.message);

describe('waiting with a deadline', () => {
  it('answers what the work answers', async () => {
    expect(await within(LONG_MS, Promise.resolve('done'), late)).to.equal('done');
  });

  it('throws what the work throws', async () => {
    expect(await said(within(LONG_MS, Promise.reject(new Error('burnt')), late))).to.equal('burnt');
  });

  it('throws at the deadline what it was told to', async () => {
    expect(await said(within(1, never, late))).to.equal('too late');
  });

  it('makes no error when the work is done in time', async () => {
    let made = 0;
    const counted = (): Error => new Error(`made ${++made}`);
    await within(1, Promise.resolve(), counted);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(made).to.equal(0);
  });
});
