import { expect } from 'chai';
import { Bulkhead, type BulkheadOptions } from '../../../core/support/bulkhead.ts';

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

function bulkhead(limit: number, queueLimit: number, more: Partial<BulkheadOptions> = {}): Bulkhead {
  return new Bulkhead({ limit, queueLimit, refuse: () => new Error('refused'), ...more });
}

const messageOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: Error) => error.message,
  );

describe('a bulkhead', () => {
  it('runs as much work as its limit and the rest in the order of arrival', async () => {
    const two = bulkhead(2, 10);
    const all = [work(), work(), work(), work()];
    const done = all.map(({ run }) => two.run(run));
    const begun = (): boolean[] => all.map(({ state }) => state.begun);
    expect(begun()).to.deep.equal([true, true, false, false]);
    all[1]!.end();
    await done[1];
    expect(begun()).to.deep.equal([true, true, true, false]);
    for (const { end } of all) end();
    await Promise.all(done);
    expect(begun()).to.deep.equal([true, true, true, true]);
    expect(two.isIdle).to.equal(true);
  });

  it('refuses work while its queue is full', async () => {
    const one = bulkhead(1, 1);
    const all = [work(), work()];
    const done = all.map(({ run }) => one.run(run));
    expect(one.isFull).to.equal(true);
    expect(await messageOf(one.run(work().run))).to.equal('refused');
    for (const { end } of all) end();
    await Promise.all(done);
    expect([one.isFull, one.isIdle]).to.deep.equal([false, true]);
  });

  it('lets no new work overtake the work that waits', async () => {
    for (let hops = 0; hops < 8; hops += 1) {
      const one = bulkhead(1, 10);
      const order: string[] = [];
      const first = work();
      const note = (name: string) => one.run(async () => void order.push(name));
      const done = [one.run(first.run), note('waiting')];
      first.end();
      for (let hop = 0; hop < hops; hop += 1) await Promise.resolve();
      done.push(note('new'));
      await Promise.all(done);
      expect(order, `after ${hops} turns`).to.deep.equal(['waiting', 'new']);
    }
  });

  it('refuses work that waited for too long, and runs what waits behind it', async () => {
    const one = bulkhead(1, 10, { waitMs: 10 });
    const first = work();
    const running = one.run(first.run);
    expect(await messageOf(one.run(work().run))).to.equal('refused');
    const next = one.run(async () => 'next');
    first.end();
    expect([await next, await running]).to.deep.equal(['next', undefined]);
  });

  it('drops work whose signal aborts while it waits', async () => {
    const one = bulkhead(1, 1);
    const first = work();
    const running = one.run(first.run);
    const client = new AbortController();
    const waiting = messageOf(one.run(work().run, client.signal));
    client.abort(new Error('gone'));
    expect([await waiting, one.isFull]).to.deep.equal(['gone', false]);
    first.end();
    await running;
  });

  it('has room again after work that fails', async () => {
    const one = bulkhead(1, 0);
    expect(await messageOf(one.run(() => Promise.reject(new Error('no'))))).to.equal('no');
    expect(one.isIdle).to.equal(true);
  });

  it('has room for others while work is outside, which waits for room again', async () => {
    const one = bulkhead(1, 1);
    const other = work();
    const order: string[] = [];
    let otherRuns: Promise<unknown> | undefined;
    const running = one.run(async () => {
      await one.outside(async () => {
        otherRuns = one.run(other.run).then(() => order.push('other'));
        setTimeout(() => other.end(), 5);
      });
      order.push('back');
    });
    await running;
    await otherRuns;
    expect([order, one.running]).to.deep.equal([['other', 'back'], 0]);
  });

  it('has its room again when work fails outside', async () => {
    const one = bulkhead(1, 1);
    expect(await messageOf(one.run(() => one.outside(() => Promise.reject(new Error('no')))))).to.equal('no');
    expect(one.running).to.equal(0);
  });

  it('keeps its limit when work fails outside while other work waits', async () => {
    const one = bulkhead(1, 2);
    const [outside, running, waiting] = [work(), work(), work()];
    const failing = one.run(() =>
      one.outside(() => outside.run().then(() => Promise.reject(new Error('no')))),
    );
    const rest = [one.run(running.run), one.run(waiting.run)];
    outside.end();
    expect(await messageOf(failing)).to.equal('no');
    expect([one.running, running.state.begun, waiting.state.begun]).to.deep.equal([1, true, false]);
    running.end();
    await rest[0];
    expect(waiting.state.begun).to.equal(true);
    waiting.end();
    await rest[1];
    expect(one.running).to.equal(0);
  });
});

describe('the bulkheads of keys', () => {
  const options: BulkheadOptions = { limit: 1, queueLimit: 0, refuse: () => new Error('refused') };

  it('bound the work of each key by itself', async () => {
    const keys = Bulkhead.byKey();
    const [one, other] = [work(), work()];
    const done = [keys.run('one', options, one.run), keys.run('other', options, other.run)];
    expect(other.state.begun).to.equal(true);
    expect([keys.isFull('one'), keys.isFull('third')]).to.deep.equal([true, false]);
    expect(await messageOf(keys.run('one', options, work().run))).to.equal('refused');
    for (const { end } of [one, other]) end();
    await Promise.all(done);
    expect(keys.isFull('one')).to.equal(false);
  });

  it('get their options anew after all work has ended, also by failing', async () => {
    const keys = Bulkhead.byKey();
    expect(await messageOf(keys.run('one', options, () => Promise.reject(new Error('no'))))).to.equal('no');
    const two = [work(), work()];
    const done = two.map(({ run }) => keys.run('one', { ...options, limit: 2 }, run));
    expect(two.map(({ state }) => state.begun)).to.deep.equal([true, true]);
    for (const { end } of two) end();
    await Promise.all(done);
  });
});
