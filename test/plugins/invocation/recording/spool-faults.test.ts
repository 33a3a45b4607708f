import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { StoreUnavailable, type Logger } from '../../../../core/index.ts';
import type { CallRow } from '../../../../plugins/invocation/recording/call-row.ts';
import { Backlog } from '../../../../plugins/invocation/recording/backlog.ts';
import { recorderHealth } from '../../../../plugins/invocation/recording/health.ts';
import type { Recorder } from '../../../../plugins/invocation/recording/recorder.ts';
import { Spool } from '../../../../plugins/invocation/recording/spool.ts';
import { quiet } from '../../../support/quiet.ts';
import { until } from '../../../support/until.ts';
import { FakeStore, recorderOn } from '../support/fake-store.ts';
import { callRow } from '../support/rows.ts';

/** A logger that collects errors. */
function loggerOf(errors: string[]): Logger {
  return { ...quiet, error: (_fields, description) => void errors.push(description ?? '') };
}

describe('The recorder, when the spool fails and the store does not', () => {
  let directory: string;
  let store: FakeStore;
  let recorder: Recorder;
  let errors: string[];
  const spool = (): string => join(directory, 'spool', 'calls');
  /** A file in place of the directory cannot be listed. */
  const breakSpool = (): void => {
    mkdirSync(join(directory, 'spool'), { recursive: true });
    rmSync(spool(), { recursive: true, force: true });
    writeFileSync(spool(), '');
  };
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'recorder-'));
    store = new FakeStore();
    errors = [];
    breakSpool();
    recorder = recorderOn(store, directory, { logger: loggerOf(errors) });
  });
  afterEach(async () => {
    await recorder.stop();
    rmSync(directory, { recursive: true });
  });
  const faults = (): string[] => errors.filter((description) => description.includes('spool'));

  it('starts and takes calls, logs the fault once, and is degraded until the spool is back', async () => {
    await recorder.start();
    expect(recorder.state).to.include({ isAway: false, fault: 'ENOTDIR' });
    expect(await recorder.demandStore()).to.equal(undefined);
    await recorder.record(callRow());
    const { state, detail } = await recorderHealth.check({ recorder } as never);
    expect(state).to.equal('degraded');
    expect(detail).to.include('ENOTDIR').and.not.include(directory);
    await pause(2_500);
    expect(faults()).to.have.length(1);
    rmSync(spool());
    await until(() => recorder.state.fault === undefined);
    expect(await recorderHealth.check({ recorder } as never)).to.deep.equal({ state: 'healthy' });
  });

  it('finds the store back by a probe', async () => {
    store.isAway = true;
    await Promise.resolve(recorder.demandStore()).catch(() => undefined);
    expect(recorder.state.isAway).to.equal(true);
    store.isAway = false;
    await until(() => !recorder.state.isAway);
    expect(recorder.state).to.include({ isAway: false, fault: 'ENOTDIR' });
    await pause(1_500);
    expect(recorder.state.isAway).to.equal(false);
    expect(faults()).to.have.length(1);
  });
});

describe('The spool on a disk that fails', () => {
  /** A spool on a disk that can be made read-only. */
  class FailingSpool extends Spool {
    fails = false;
    reads = true;

    #demand(works: boolean): void {
      if (!works) throw Object.assign(new Error('no'), { code: 'EROFS' });
    }
    override async read(name: string): Promise<readonly CallRow[] | undefined> {
      this.#demand(this.reads);
      return super.read(name);
    }
    override async remove(name: string): Promise<void> {
      this.#demand(!this.fails);
      return super.remove(name);
    }
    override async refuse(row: CallRow): Promise<void> {
      this.#demand(!this.fails);
      return super.refuse(row);
    }
  }

  let directory: string;
  let spool: FailingSpool;
  let errors: string[];
  let stored: string[];
  let store: (calls: readonly CallRow[]) => Promise<void>;
  let backlog: Backlog;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'recorder-'));
    spool = new FailingSpool(join(directory, 'calls'));
    errors = [];
    stored = [];
    store = async (calls) => void stored.push(...calls.map(({ id }) => id));
    backlog = new Backlog({
      spool,
      store: (calls) => store(calls),
      lost: () => undefined,
      logger: loggerOf(errors),
    });
  });
  afterEach(async () => {
    await backlog.finish();
    rmSync(directory, { recursive: true });
  });

  it('stays in the spool while its file cannot be removed, and the file goes later', async () => {
    const rows = [callRow(), callRow()];
    for (const row of rows) await backlog.add([row]);
    spool.fails = true;
    await backlog.replay();
    await backlog.replay();
    expect([backlog.batches, backlog.fault, errors.length]).to.deep.equal([2, 'EROFS', 1]);
    spool.fails = false;
    await until(() => backlog.batches === 0 && backlog.fault === undefined);
    expect(new Set(stored)).to.deep.equal(new Set(rows.map(({ id }) => id)));
    expect(await spool.names()).to.deep.equal([]);
  });

  it('is stored except for the record that the store refuses', async () => {
    const rows = [callRow(), callRow(), callRow()];
    const bad = rows[1]!;
    await backlog.add(rows);
    const { store: take } = { store };
    store = async (calls) => {
      if (calls.some(({ id }) => id === bad.id)) throw new Error('bad row');
      await take(calls);
    };
    await backlog.replay();
    expect(stored).to.have.members([rows[0]!.id, rows[2]!.id]);
    expect(readdirSync(join(directory, 'calls'))).to.deep.equal([`${bad.id}.json.refused`]);
    expect([backlog.batches, backlog.fault]).to.deep.equal([0, undefined]);
  });

  it('is kept as it is while it cannot be read', async () => {
    await backlog.add([callRow()]);
    spool.reads = false;
    await backlog.replay();
    expect(await spool.names()).to.have.length(1);
    spool.reads = true;
    await backlog.replay();
    expect(stored).to.have.length(1);
  });

  it('reports that the store is away', async () => {
    await backlog.add([callRow()]);
    store = async () => {
      throw StoreUnavailable('The database does not answer.');
    };
    const failed = await backlog.replay().then(
      () => false,
      () => true,
    );
    expect([failed, backlog.fault]).to.deep.equal([true, undefined]);
  });
});
