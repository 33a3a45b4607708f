import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Problem, type Logger } from '../../../../core/index.ts';
import type { Recorder } from '../../../../plugins/invocation/recording/recorder.ts';
import { quiet } from '../../../support/quiet.ts';
import { until } from '../../../support/until.ts';
import { FakeStore, recorderOn } from '../support/fake-store.ts';
import { callRow } from '../support/rows.ts';

async function codeOf(work: Promise<void> | void | (() => void | Promise<void>)): Promise<string> {
  try {
    await (typeof work === 'function' ? work() : work);
    return 'none';
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
}

describe('The recorder', () => {
  let directory: string;
  let store: FakeStore;
  let recorder: Recorder;
  let events: unknown[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'recorder-'));
    store = new FakeStore();
    events = [];
    recorder = recorderOn(store, directory, { events });
  });
  afterEach(async () => {
    store.isAway = false;
    await recorder.stop();
    rmSync(directory, { recursive: true });
  });

  it('reports a recorded call after the commit', async () => {
    const row = callRow();
    const recorded = recorder.record(row);
    expect(events).to.deep.equal([]);
    await recorded;
    expect(events).to.deep.equal([
      { call_id: row.id, user_id: 'alice', algorithm_id: 'echo', version_id: 'v1', status: 'success' },
    ]);
  });

  it('writes the rows of record hooks with the records', async () => {
    const hook = {
      name: 'counter',
      rowsFor: (calls: readonly unknown[]) => [
        { table: 'c', columns: { n: 'integer' }, rows: [[calls.length]] } as const,
      ],
    };
    const together = recorderOn(store, directory, { hooks: [hook] });
    await Promise.all([together.record(callRow()), together.record(callRow())]);
    expect(store.rows).to.deep.equal({ invocation_calls: 2, c: 1 });
  });

  it('loses no record when a record hook fails', async () => {
    const broken = {
      name: 'broken',
      rowsFor: () => {
        throw new Error('a bug');
      },
    };
    await recorderOn(store, directory, { hooks: [broken] }).record(callRow());
    expect(store.stored).to.have.length(1);
  });

  it('tries again when the store is away for a moment', async () => {
    store.isAway = true;
    const recorded = recorder.record(callRow());
    await until(() => store.attempts === 1);
    store.isAway = false;
    await recorded;
    expect(store.stored).to.have.length(1);
  });

  it('stores a record once when the connection breaks after the commit', async () => {
    store.breaksAfterCommit = true;
    await Promise.all([recorder.record(callRow()), recorder.record(callRow())]);
    expect(store.attempts).to.equal(2);
    expect(store.stored).to.have.length(2);
  });

  it('answers 503 for a record that it cannot store in time, and stores it when the database is back', async () => {
    store.isAway = true;
    const row = callRow();
    expect(await codeOf(recorder.record(row))).to.equal('store_unavailable');
    expect(recorder.state).to.include({ isAway: true, spooled: 1 });
    store.isAway = false;
    await until(() => recorder.state.spooled === 0 && !recorder.state.isAway);
    expect(store.stored).to.deep.equal([row.id]);
    expect(recorder.state).to.include({ isAway: false, waiting: 0, spooled: 0, fault: undefined });
  });

  it('reports why the database takes no records, also when that changes', async () => {
    expect(recorder.state.reason).to.equal(undefined);
    store.isAway = true;
    await codeOf(recorder.record(callRow()));
    expect(recorder.state.reason).to.equal('The database does not answer.');
    store.description = 'The disk of the database is full.';
    await until(() => recorder.state.reason === store.description);
    store.isAway = false;
    await until(() => recorder.state.reason === undefined);
  });

  it('stores at the next start what the spool has from before a stop', async () => {
    store.isAway = true;
    const row = callRow();
    await codeOf(recorder.record(row));
    await recorder.stop();
    store.isAway = false;
    recorder = recorderOn(store, directory);
    await recorder.start();
    expect(store.stored).to.deep.equal([row.id]);
    expect(recorder.state.spooled).to.equal(0);
  });

  it('stores and reports a record once, though two instances find it in the spool', async () => {
    store.isAway = true;
    await codeOf(recorder.record(callRow()));
    await recorder.stop();
    store.isAway = false;
    const instances = [recorderOn(store, directory, { events }), recorderOn(store, directory, { events })];
    await Promise.all(instances.map((instance) => instance.start()));
    expect(store.stored).to.have.length(1);
    expect(events).to.have.length(1);
  });

  it('reports a record once when the connection breaks after the commit', async () => {
    store.breaksAfterCommit = true;
    await recorder.record(callRow());
    expect(events).to.have.length(1);
  });

  it('starts with a damaged file, and keeps it', async () => {
    store.isAway = true;
    await codeOf(recorder.record(callRow()));
    writeFileSync(join(directory, 'spool', 'calls', '0-damaged.json'), '[{');
    store.isAway = false;
    await recorder.stop();
    recorder = recorderOn(store, directory);
    await recorder.start();
    expect(store.stored).to.have.length(1);
  });

  it('starts while the database is away, and stores the spool when it is back', async () => {
    store.isAway = true;
    await codeOf(recorder.record(callRow()));
    await recorder.stop();
    recorder = recorderOn(store, directory);
    await recorder.start();
    store.isAway = false;
    await until(() => store.stored.length === 1);
    expect(store.stored).to.have.length(1);
  });
});

describe('The recorder, when the disk takes no records either', () => {
  it('answers 503, and logs which records are lost', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recorder-'));
    // Nothing can be written below a path that is not a directory.
    writeFileSync(join(directory, 'spool'), '');
    const store = new FakeStore();
    store.isAway = true;
    const lost: unknown[] = [];
    const logger: Logger = {
      ...quiet,
      error: (fields, text) => {
        if (text?.includes('lost')) lost.push((fields as { call_ids?: unknown }).call_ids);
      },
    };
    const recorder = recorderOn(store, directory, { logger, limitMs: 50 });
    const rows = [callRow(), callRow()];
    const codes = await Promise.all(rows.map((row) => codeOf(recorder.record(row))));
    expect(codes).to.deep.equal(['store_unavailable', 'store_unavailable']);
    expect(lost).to.deep.equal([rows.map(({ id }) => id)]);
    expect(await codeOf(() => recorder.demandStore())).to.equal('store_unavailable');
    store.isAway = false;
    await until(() => !recorder.state.isAway);
    await recorder.record(callRow());
    await recorder.stop();
    rmSync(directory, { recursive: true });
  });
});

describe('The queue of large outputs', () => {
  it('refuses further calls while too many wait for the store', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recorder-'));
    const store = new FakeStore();
    const recorder = recorderOn(store, directory);
    await recorder.record(callRow());
    const large = 'x'.repeat(8 * 1024 * 1024);
    const recorded = Array.from({ length: 10 }, () => recorder.record(callRow({ output_data: large })));
    expect(await codeOf(() => recorder.demandStore())).to.equal('overloaded');
    await Promise.all(recorded);
    expect(await codeOf(() => recorder.demandStore())).to.equal('none');
    await recorder.stop();
    rmSync(directory, { recursive: true });
  });
});

describe('The watch over the store', () => {
  let directory: string;
  let store: FakeStore;
  let recorder: Recorder;
  let elapsed: number;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'recorder-'));
    store = new FakeStore();
    elapsed = 10_000;
    recorder = recorderOn(store, directory, { clock: { now: () => 0, elapsed: () => elapsed } });
  });
  afterEach(async () => {
    await recorder.stop();
    rmSync(directory, { recursive: true });
  });

  it('checks the database once for all waiting calls', async () => {
    await Promise.all([recorder.demandStore(), recorder.demandStore()]);
    expect(store.pings).to.equal(1);
  });

  it('does not check within a second of a write', async () => {
    await recorder.record(callRow());
    elapsed += 900;
    expect(recorder.demandStore()).to.equal(undefined);
    expect(store.pings).to.equal(0);
  });

  it('checks again when the last write is long ago', async () => {
    await recorder.record(callRow());
    elapsed += 1100;
    await recorder.demandStore();
    expect(store.pings).to.equal(1);
  });

  it('refuses when the store does not answer, and at once from then on', async () => {
    store.isAway = true;
    expect(await codeOf(() => recorder.demandStore())).to.equal('store_unavailable');
    expect(await codeOf(() => recorder.demandStore())).to.equal('store_unavailable');
    expect(store.pings).to.equal(1);
  });

  it('lets calls pass again when a write succeeds', async () => {
    store.isAway = true;
    await codeOf(() => recorder.demandStore());
    store.isAway = false;
    await until(() => !recorder.state.isAway);
    expect(await codeOf(() => recorder.demandStore())).to.equal('none');
  });
});
