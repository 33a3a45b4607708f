import { expect } from 'chai';
import { Places } from '../../../core/support/places.ts';

/** Work that ends when it is told to. */
function work() {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => (end = resolve));
  const state = { begun: false };
  const run = (): Promise<void> => {
    state.begun = true;
    return promise;
  };
  return { run, end, state };
}

describe('places for work', () => {
  it('lets so much begin and the rest wait, in its order', async () => {
    const places = new Places(2, 10);
    const all = [work(), work(), work(), work()];
    const done = all.map(({ run }) => places.run(run));
    const begun = (): boolean[] => all.map(({ state }) => state.begun);
    expect(begun()).to.deep.equal([true, true, false, false]);
    all[1]!.end();
    await done[1];
    await new Promise(setImmediate);
    expect(begun()).to.deep.equal([true, true, true, false]);
    for (const { end } of all) end();
    await Promise.all(done);
    expect(begun()).to.deep.equal([true, true, true, true]);
  });

  it('are full when all are taken and the line is', async () => {
    const places = new Places(1, 1);
    const full: boolean[] = [places.isFull];
    const all = [work(), work()];
    const done = all.map(({ run }) => {
      const ended = places.run(run);
      full.push(places.isFull);
      return ended;
    });
    expect(full).to.deep.equal([false, false, true]);
    for (const { end } of all) end();
    await Promise.all(done);
    expect([places.isFull, places.isEmpty]).to.deep.equal([false, true]);
  });

  it('turn nobody away who stands in line, whoever comes while a place is passed on', async () => {
    for (let hops = 0; hops < 8; hops += 1) {
      const places = new Places(1, 1);
      const first = work();
      const results = [places.run(first.run), places.run(() => Promise.resolve())];
      first.end();
      for (let hop = 0; hop < hops; hop += 1) await Promise.resolve();
      while (!places.isFull) results.push(places.run(() => Promise.resolve()));
      const rejected = (await Promise.allSettled(results)).filter(({ status }) => status === 'rejected');
      expect(rejected, `after ${hops} turns`).to.deep.equal([]);
    }
  });

  it('give a place back when work fails', async () => {
    const places = new Places(1, 0);
    const failed = await places
      .run(() => Promise.reject(new Error('no')))
      .catch((error: Error) => error.message);
    expect([failed, places.isEmpty]).to.deep.equal(['no', true]);
  });
});
