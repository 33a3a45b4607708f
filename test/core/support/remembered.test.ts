import { expect } from 'chai';
import { Remembered } from '../../../core/support/remembered.ts';

const reads = (value: string) => async () => value;
const neverRead = async (): Promise<never> => {
  throw new Error('It should have been remembered.');
};

describe('What is remembered', () => {
  it('is answered at once, without a promise', async () => {
    const memory = new Remembered<string>({ limit: 10 });
    await memory.get('k', 'g', reads('v'));
    expect(memory.get('k', 'g', neverRead)).to.equal('v');
  });

  it('is read by one function for every key', async () => {
    const memory = new Remembered<string>({ limit: 10 });
    const read = async (key: string) => `of ${key}`;
    expect([await memory.get('a', 'g', read), await memory.get('b', 'g', read)]).to.deep.equal([
      'of a',
      'of b',
    ]);
  });

  it('is read once for readers that come together', async () => {
    const memory = new Remembered<string>({ limit: 10 });
    let count = 0;
    const read = async () => `read ${++count}`;
    const answers = await Promise.all([memory.get('k', 'g', read), memory.get('k', 'g', read)]);
    expect(answers).to.deep.equal(['read 1', 'read 1']);
  });

  it('is forgotten by group', async () => {
    const memory = new Remembered<string>({ limit: 10 });
    await memory.get('a', 'first', reads('old'));
    await memory.get('b', 'second', reads('kept'));
    memory.forget('first');
    expect(await memory.get('a', 'first', reads('new'))).to.equal('new');
    expect(memory.get('b', 'second', neverRead)).to.equal('kept');
  });

  it('is forgotten altogether when no group is named', async () => {
    const memory = new Remembered<string>({ limit: 10 });
    await memory.get('a', 'g', reads('old'));
    memory.forget();
    expect(memory.size).to.equal(0);
  });

  it('is not kept when it was read before the change and arrives after it', async () => {
    const memory = new Remembered<string>({ limit: 10 });
    let arrive: (value: string) => void = () => undefined;
    const slow = memory.get('k', 'g', () => new Promise((resolve) => (arrive = resolve)));
    memory.forget('g');
    arrive('stale');
    await slow;
    expect(await memory.get('k', 'g', reads('fresh'))).to.equal('fresh');
  });

  it('does not hand a read that began before the change to a reader who came after it', async () => {
    const memory = new Remembered<string>({ limit: 10 });
    let arrive: (value: string) => void = () => undefined;
    const slow = memory.get('k', 'g', () => new Promise((resolve) => (arrive = resolve)));
    memory.forget('g');
    const after = memory.get('k', 'g', reads('fresh'));
    arrive('stale');
    expect(await Promise.all([slow, after])).to.deep.equal(['stale', 'fresh']);
  });

  it('is bounded by weight, and what was used least recently goes first', async () => {
    const memory = new Remembered<string>({ limit: 6, weigh: (text) => text.length });
    await memory.get('a', 'a', reads('aaa'));
    await memory.get('b', 'b', reads('bbb'));
    await memory.get('a', 'a', neverRead);
    await memory.get('c', 'c', reads('ccc'));
    expect(memory.get('a', 'a', neverRead)).to.equal('aaa');
    expect(await memory.get('b', 'b', reads('read again'))).to.equal('read again');
  });

  it('is not a failed read', async () => {
    const memory = new Remembered<string>({ limit: 10 });
    const failed = await Promise.resolve(memory.get('k', 'g', neverRead)).catch(() => 'failed');
    expect(failed).to.equal('failed');
    expect(await memory.get('k', 'g', reads('v'))).to.equal('v');
  });
});
