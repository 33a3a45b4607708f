import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Problem, type Database, type EventBus } from '../../../../core/index.ts';
import { createMetrics } from '../../../../core/telemetry/prometheus.ts';
import { recordMetrics } from '../../../../plugins/invocation/recording/metrics.ts';
import {
  createRecorder,
  type Recorder,
  type RecorderDeps,
} from '../../../../plugins/invocation/recording/recorder.ts';
import { quiet } from '../../../support/quiet.ts';
import { until } from '../../../support/until.ts';
import { FakeStore } from '../support/fake-store.ts';
import { callRow } from '../support/rows.ts';

type Write = Database['write'];

/** No two of these are written together. */
const LARGE = `"${'x'.repeat(5 * 1024 * 1024)}"`;

/** A store that accepts writes and does not answer until the test releases it. */
class SilentStore {
  readonly inner = new FakeStore();
  readonly closed: unknown[] = [];
  isSilent = false;
  slowMs = 0;
  /** How often it was sent records. */
  asked = 0;
  #waiting: (() => void)[] = [];

  goOn(): void {
    this.isSilent = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #wait(): Promise<void> {
    if (this.slowMs > 0) await pause(this.slowMs);
    if (this.isSilent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  readonly database = {
    ...this.inner.database,
    write: async (...order: Parameters<Write>) => {
      if (order[0].some(({ table }) => table === 'invocation_calls')) this.asked += 1;
      await this.#wait();
      await this.inner.database.write(...order);
      this.closed.push(...(order[1] ?? []).flatMap(({ values }) => values));
    },
    ping: async () => {
      await this.#wait();
      await this.inner.database.ping();
    },
  } as Database;
}

async function codeOf(work: Promise<void> | void): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
}

describe('The recorder, when the store does not answer', () => {
  let directory: string;
  let store: SilentStore;
  let recorder: Recorder;
  let events: { call_id: string }[];
  const start = (more: Partial<RecorderDeps> = {}): Recorder => {
    return createRecorder({
      database: store.database,
      hooks: [],
      events: { emit: (_type, payload) => void events.push(payload as { call_id: string }) } as EventBus,
      metrics: createMetrics(recordMetrics),
      clock: { now: () => 0, elapsed: () => performance.now() },
      logger: quiet,
      dataDirectory: directory,
      limitMs: 300,
      ...more,
    });
  };
  const files = (): string[] => readdirSync(join(directory, 'spool', 'calls'));
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'recorder-'));
    store = new SilentStore();
    events = [];
    recorder = start();
  });
  afterEach(async () => {
    store.goOn();
    store.inner.isAway = false;
    await recorder.stop();
    rmSync(directory, { recursive: true });
  });

  it('moves a batch and those behind it to the spool in time, though the driver still waits', async () => {
    store.isSilent = true;
    const began = performance.now();
    const first = codeOf(recorder.record(callRow()));
    await pause(20);
    const second = codeOf(recorder.record(callRow()));
    expect(await first).to.equal('store_unavailable');
    expect(recorder.state).to.include({ isAway: true, spooled: 1 });
    expect(await second).to.equal('store_unavailable');
    expect(performance.now() - began).to.be.below(4_000);
    expect(files()).to.have.length(2);
  });

  it('moves all records behind an unanswered batch to the spool at once, however large they are', async () => {
    const rows = Array.from({ length: 8 }, () => callRow({ output_data: LARGE }));
    store.isSilent = true;
    const codes = await Promise.all(rows.map((row) => codeOf(recorder.record(row))));
    expect(new Set(codes)).to.deep.equal(new Set(['store_unavailable']));
    expect(store.asked, 'those behind it were not waited for').to.equal(1);
    expect(files()).to.have.length(rows.length);
    store.goOn();
    await until(() => recorder.state.spooled === 0 && !recorder.state.isAway);
    expect(store.inner.stored)
      .to.have.members(rows.map(({ id }) => id))
      .and.to.have.length(rows.length);
  }).timeout(20_000);

  it('takes records again once a probe finds it back', async () => {
    store.isSilent = true;
    await codeOf(recorder.record(callRow()));
    store.goOn();
    await until(() => !recorder.state.isAway);
    expect(await codeOf(recorder.record(callRow()))).to.equal('none');
  });

  it('stores and reports a record once that a late commit stored as well', async () => {
    store.isSilent = true;
    const rows = [callRow(), callRow()];
    await Promise.all(rows.map((row) => codeOf(recorder.record(row))));
    store.goOn();
    await until(() => recorder.state.spooled === 0 && !recorder.state.isAway);
    const ids = rows.map(({ id }) => id);
    expect(store.inner.stored).to.have.members(ids).and.to.have.length(2);
    expect(events.map(({ call_id }) => call_id))
      .to.have.members(ids)
      .and.to.have.length(2);
  });

  it('does not try a batch that comes when the store has been away for long', async () => {
    store.inner.isAway = true;
    await codeOf(recorder.record(callRow()));
    const { attempts } = store.inner;
    expect(await codeOf(recorder.record(callRow()))).to.equal('store_unavailable');
    expect(store.inner.attempts).to.equal(attempts);
  });

  it('refuses calls in time while it is checked', async () => {
    store.isSilent = true;
    const asked = codeOf(recorder.demandStore());
    expect(await Promise.race([asked, pause(4_000, 'too late')])).to.equal('store_unavailable');
    expect(recorder.state.isAway).to.equal(true);
  });

  it('does not wait at the stop until a slow store has taken everything', async () => {
    recorder = start({ limitMs: 5_000 });
    const rows = Array.from({ length: 6 }, () => callRow({ output_data: LARGE }));
    store.isSilent = true;
    const recorded = rows.map((row) => codeOf(recorder.record(row)));
    await until(() => store.asked === 1);
    // The others would be taken, each more slowly than there is time at a stop.
    store.isSilent = false;
    store.slowMs = 8_000;
    await recorder.stop();
    expect(store.asked, 'those behind it were not waited for').to.equal(1);
    expect(new Set(await Promise.all(recorded))).to.deep.equal(new Set(['store_unavailable']));
    expect(files()).to.have.length(rows.length);
  }).timeout(20_000);

  it('does not treat a slow commit as lost', async () => {
    recorder = start({ limitMs: 3_000 });
    for (let n = 0; n < 3; n += 1) {
      store.isSilent = true;
      const recorded = codeOf(recorder.record(callRow()));
      setTimeout(() => store.goOn(), 300);
      expect(await recorded).to.equal('none');
    }
  });
});
