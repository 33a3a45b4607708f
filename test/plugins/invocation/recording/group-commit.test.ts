import { expect } from 'chai';
import { GroupCommit } from '../../../../plugins/invocation/recording/group-commit.ts';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import { callRow } from '../support/rows.ts';

/** A store under the test's control: a batch is durable when the test says so. */
class Store {
  readonly batches: (readonly CallRow[])[] = [];
  readonly #settle: ((error?: Error) => void)[] = [];

  readonly write = (rows: readonly CallRow[]): Promise<void> => {
    this.batches.push(rows);
    return new Promise((resolve, reject) =>
      this.#settle.push((error) => (error ? reject(error) : resolve())),
    );
  };

  settle(error?: Error): void {
    this.#settle.shift()!(error);
  }

  get sizes(): number[] {
    return this.batches.map((rows) => rows.length);
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

/** Whether a promise has settled, and how. */
function watched(promise: Promise<void>) {
  const seen = { state: 'waiting' };
  promise.then(
    () => (seen.state = 'done'),
    (error: Error) => (seen.state = error.message),
  );
  return seen;
}

describe('The queue of records', () => {
  let store: Store;
  let queue: GroupCommit;
  let elapsed: number;
  const queueOn = (makeDurable: Store['write'], isPoison = () => false) =>
    new GroupCommit({
      makeDurable,
      isPoison,
      clock: { now: () => 0, elapsed: () => elapsed },
    });
  beforeEach(() => {
    store = new Store();
    elapsed = 0;
    queue = queueOn(store.write);
  });

  it('writes a single record at the end of the iteration, without a timer', async () => {
    const added = queue.add(callRow());
    await turn();
    expect(store.sizes).to.deep.equal([1]);
    store.settle();
    await added;
  });

  it('resolves only when the store has confirmed the record', async () => {
    const added = watched(queue.add(callRow()));
    await turn();
    await turn();
    expect(added.state).to.equal('waiting');
    store.settle();
    await turn();
    expect(added.state).to.equal('done');
  });

  it('writes records of one iteration together', async () => {
    const rows = [callRow(), callRow(), callRow()];
    const added = rows.map((row) => queue.add(row));
    await turn();
    expect(store.batches).to.deep.equal([rows]);
    store.settle();
    await Promise.all(added);
  });

  it('collects what arrives while a batch is being written', async () => {
    const first = queue.add(callRow());
    await turn();
    const later = [queue.add(callRow()), queue.add(callRow())];
    await turn();
    expect(store.sizes).to.deep.equal([1]);
    store.settle();
    await first;
    await turn();
    expect(store.sizes).to.deep.equal([1, 2]);
    store.settle();
    await Promise.all(later);
  });

  describe('while each iteration of the event loop adds records', () => {
    const oneTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
    /** Adds a record in each iteration until the batch is written, and returns how many. */
    const handInUntilAsked = async (afterEach: () => void = () => undefined): Promise<number> => {
      let count = 0;
      for (; store.batches.length === 0 && count < 100; count += 1) {
        void queue.add(callRow());
        await oneTurn();
        afterEach();
      }
      return count;
    };
    it('collects until the first iteration that adds none', async () => {
      for (let n = 0; n < 3; n += 1) {
        void queue.add(callRow());
        await oneTurn();
      }
      expect(store.sizes).to.deep.equal([]);
      await turn();
      expect(store.sizes).to.deep.equal([3]);
    });

    it('stops after 8 ms', async () => {
      await handInUntilAsked(() => (elapsed += 1));
      expect(store.sizes[0]).to.be.within(7, 10);
    });
  });

  it('limits the rows of a batch', async () => {
    for (let n = 0; n < 501; n += 1) void queue.add(callRow());
    await turn();
    store.settle();
    await turn();
    expect(store.sizes).to.deep.equal([500, 1]);
  });

  for (const [what, large] of [
    ['bounds the text of a batch, but writes even the largest row', { input_data: 'x'.repeat(9_000_000) }],
    ['counts the params of a call as text, too', { params: 'x'.repeat(5_000_000) }],
  ] as const) {
    it(what, async () => {
      for (let n = 0; n < 2; n += 1) void queue.add(callRow(large));
      await turn();
      store.settle();
      await turn();
      expect(store.sizes).to.deep.equal([1, 1]);
    });
  }

  it('fails every record of a failed batch, and continues', async () => {
    const failing = [watched(queue.add(callRow())), watched(queue.add(callRow()))];
    await turn();
    store.settle(new Error('away'));
    await turn();
    expect(failing.map(({ state }) => state)).to.deep.equal(['away', 'away']);
    const next = watched(queue.add(callRow()));
    await turn();
    store.settle();
    await turn();
    expect(next.state).to.equal('done');
  });

  it('finds the one row that the store cannot take, and writes the others', async () => {
    const bad = callRow();
    const written: CallRow[] = [];
    const choosy = queueOn(
      async (rows) => {
        if (rows.includes(bad)) throw new Error('bad row');
        written.push(...rows);
      },
      () => true,
    );
    const rows = [callRow(), callRow(), bad, callRow(), callRow()];
    const outcomes = await Promise.allSettled(rows.map((row) => choosy.add(row)));
    expect(outcomes.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(written).to.have.members(rows.filter((row) => row !== bad));
  });

  it('is idle when everything was written', async () => {
    void queue.add(callRow());
    await turn();
    void queue.add(callRow());
    const idle = watched(queue.idle());
    store.settle();
    await turn();
    expect(idle.state).to.equal('waiting');
    store.settle();
    await turn();
    expect(idle.state).to.equal('done');
  });
});
