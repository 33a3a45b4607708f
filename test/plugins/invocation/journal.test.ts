import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, newId, StoreUnavailable, type Database, type Engine } from '../../../core/index.ts';
import { onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { CALL_LOG, CALL_STATISTICS } from '../../../plugins/invocation/contract.ts';
import type { CallRow } from '../../../plugins/invocation/recording/call-row.ts';
import { JOURNAL } from '../../../plugins/invocation/journal/journal.ts';
import { interrupted, openInsert } from '../../../plugins/invocation/journal/open-calls.ts';
import { RECORDER } from '../../../plugins/invocation/recording/recorder.ts';
import { RETENTION } from '../../../plugins/invocation/retention/retention.ts';
import { until } from '../../support/until.ts';
import { callRow } from './support/rows.ts';
import { startStage, type Playable, type Stage, type StageOptions } from './support/stage.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const ENOUGH_CHECKS = 7;
const intent = { invocation: { journal: 'intent' } };

/** Rows of open calls. */
const running = (fields: Partial<CallRow> = {}): CallRow =>
  callRow({ status: 'running', output_data: null, response_time: 0, ...fields });

async function openCalls(stage: Stage): Promise<number> {
  const counted = await stage
    .get(DATABASE)
    .read<{ n: number }>('SELECT COUNT(*) AS n FROM invocation_open_calls')
    .first();
  return counted!.n;
}

/** Open calls of an instance that has died. */
async function leftBehind(stage: Stage, rows: readonly CallRow[]): Promise<void> {
  const dead = newId();
  const known = {
    table: 'invocation_instances',
    columns: { id: 'text', beats: 'integer' },
    rows: [[dead, 9]],
  } as const;
  await stage.get(DATABASE).write([known, openInsert(rows, dead)]);
}

async function checkOften(...stages: readonly Stage[]): Promise<void> {
  for (let n = 0; n < ENOUGH_CHECKS; n += 1)
    await Promise.all(stages.map((stage) => stage.get(JOURNAL).check()));
}

/** An endpoint that answers when the test says so. */
function patientEndpoint() {
  const waiting: (() => void)[] = [];
  return {
    answer: () => new Promise((resolve) => waiting.push(() => resolve({ done: true }))),
    release: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

/** Resolves when the endpoint has received the call and waits. */
async function startCall(stage: Stage, of: Playable, more = {}, { requests } = stage.upstream) {
  const before = requests.length;
  const answered = stage.call(of, more);
  await until(() => requests.length > before);
  return { answered, id: String(requests.at(-1)!.headers['x-call-id']) };
}

describe('The journal of calls', () => {
  onEveryEngine((engine: Engine) => {
    const endpoint = patientEndpoint();
    let scratch: Scratch;
    let stage: Stage;
    let of: Playable;
    const start = (more: StageOptions = {}): Promise<Stage> =>
      startStage(engine, endpoint.answer, { scratch, settings: intent, ...more });
    const read = (path: string, token = stage.alice) => stage.request('GET', path, { token });
    beforeEach(async () => {
      scratch = await migratedScratch(engine);
      stage = await start();
      of = await stage.play();
    });
    afterEach(async () => {
      endpoint.release();
      await stage.stop();
      await scratch.remove();
    });

    it('shows a call while its endpoint is being called, and counts it once when it has ended', async () => {
      const { answered, id } = await startCall(stage, of, { input_data: { n: 1 } });
      const { body } = await read(`/algorithms/calls/${id}`);
      expect(body).to.include({
        id,
        status: 'running',
        output_data: null,
        error_code: null,
        response_time: 0,
      });
      expect(body.input_data).to.deep.equal({ n: 1 });
      for (const query of ['', '?status=running']) {
        const { history, total } = (await read(`/history/user-calls${query}`)).body;
        expect([total, history.map((entry: CallRow) => entry.id)]).to.deep.equal([1, [id]]);
      }
      expect((await read('/history/statistics')).body.total_calls).to.equal(0);
      endpoint.release();
      expect((await answered).body).to.include({ id, status: 'success' });
      expect((await read(`/algorithms/calls/${id}`)).body).to.deep.equal((await answered).body);
      expect((await read('/history/user-calls')).body.total).to.equal(1);
      expect((await read('/history/user-calls?status=running')).body.history).to.deep.equal([]);
      expect((await read('/history/statistics')).body.status_counts).to.deep.equal({ success: 1 });
      expect(await openCalls(stage)).to.equal(0);
    });

    it('does not show it to other users', async () => {
      const { id } = await startCall(stage, of);
      const bob = await stage.signUp('bob');
      expect((await read(`/algorithms/calls/${id}`, bob)).status).to.equal(404);
      expect((await read('/history/user-calls', bob)).body.history).to.deep.equal([]);
    });

    it('applies the payload policy to it', async () => {
      const path = `/algorithms/${of.algorithm_id}/payload-policy`;
      await stage.request('PUT', path, { token: stage.admin, body: { input_data: { mode: 'drop' } } });
      const { id } = await startCall(stage, of, { input_data: { secret: 'x' } });
      const call = (await stage.get(CALL_LOG).find(id))!;
      expect([call.status, call.input_data]).to.deep.equal(['running', null]);
      expect(call.payload).to.deep.equal({ input_data: 'dropped' });
    });

    it('refuses a call that it cannot write with 503, and does not call the endpoint', async () => {
      const database: Database = stage.get(DATABASE);
      const { write } = database;
      await stage.get(RECORDER).demandStore();
      Object.assign(database, {
        write: async () => {
          throw StoreUnavailable('The database does not answer.');
        },
      });
      const { status, body } = await stage.call(of).finally(() => Object.assign(database, { write }));
      expect([status, body.code]).to.deep.equal([503, 'store_unavailable']);
      expect(body.detail).to.include('was not asked');
      expect(stage.upstream.requests).to.deep.equal([]);
      await until(() => !stage.get(RECORDER).state.isAway);
      await pause(200);
      expect(await stage.get(CALL_LOG).count({})).to.equal(0);
    });

    it('deletes at its stop what an unconfirmed commit wrote', async () => {
      const database: Database = stage.get(DATABASE);
      const { write } = database;
      let isFirst = true;
      Object.assign(database, {
        write: async (...order: Parameters<Database['write']>) => {
          if (order[0][0]?.table === 'invocation_open_calls') {
            if (isFirst) await write.call(database, ...order);
            isFirst = false;
          }
          throw StoreUnavailable('The connection broke.');
        },
      });
      const found = await stage
        .call(of)
        .then(async ({ status }) => [status, await openCalls(stage)])
        .finally(() => Object.assign(database, { write }));
      expect(found).to.deep.equal([503, 1]);
      await stage.stop();
      stage = await start();
      expect(await openCalls(stage)).to.equal(0);
    });

    it('ends the calls of dead instances as interrupted, once, whichever instance finds them', async () => {
      const rows = Array.from({ length: 150 }, () => running());
      await leftBehind(stage, rows);
      const other = engine === 'postgres' ? await start() : stage;
      try {
        await checkOften(stage, other);
      } finally {
        if (other !== stage) await other.stop();
      }
      const call = (await stage.get(CALL_LOG).find(rows[0]!.id))!;
      expect(call).to.include({ status: 'failed', error_code: 'interrupted', output_data: null });
      expect(call.error_message).to.include('may have done its work');
      expect(call.input_data).to.deep.equal({ n: 1 });
      expect(await openCalls(stage)).to.equal(0);
      const { total_calls, status_counts } = await stage.get(CALL_STATISTICS).totals({});
      expect([total_calls, status_counts]).to.deep.equal([150, { failed: 150 }]);
      expect(await stage.get(CALL_LOG).count({ status: 'failed' })).to.equal(150);
    });

    it('ends calls of a dead instance also when only ends are written now', async () => {
      await stage.stop();
      stage = await start({ settings: {} });
      const row = running();
      await leftBehind(stage, [row]);
      await checkOften(stage);
      expect((await stage.get(CALL_LOG).find(row.id))!.error_code).to.equal('interrupted');
    });

    it('does not end calls of live instances, and deletes stopped instances', async () => {
      const other = await start();
      try {
        const { answered, id } = await startCall(other, of, {}, stage.upstream);
        for (let n = 0; n < ENOUGH_CHECKS; n += 1) {
          await other.get(JOURNAL).check();
          await stage.get(JOURNAL).check();
        }
        expect((await stage.get(CALL_LOG).find(id))!.status).to.equal('running');
        endpoint.release();
        await answered;
      } finally {
        await other.stop();
      }
      const left = await stage.get(DATABASE).knex('invocation_instances');
      expect(left).to.have.length(1);
    });

    it('keeps the record that was stored first when a call ends late', async () => {
      const [late, prompt] = [running(), running()];
      const recorder = stage.get(RECORDER);
      await Promise.all([recorder.begin(late), recorder.begin(prompt)]);
      await recorder.storeInterrupted([interrupted(late, Date.now())]);
      await Promise.all([
        recorder.record(callRow({ id: late.id })),
        recorder.record(callRow({ id: prompt.id })),
      ]);
      const found = await Promise.all([late, prompt].map(({ id }) => stage.get(CALL_LOG).find(id)));
      expect(found.map((call) => call!.status)).to.deep.equal(['failed', 'success']);
      expect((await stage.get(CALL_STATISTICS).totals({})).total_calls).to.equal(2);
      expect(await openCalls(stage)).to.equal(0);
    });

    it('ends a call whose record is in the spool when the spool is stored', async () => {
      const database: Database = stage.get(DATABASE);
      const { write } = database;
      const { answered, id } = await startCall(stage, of);
      Object.assign(database, {
        write: async () => {
          throw StoreUnavailable('The database does not answer.');
        },
      });
      endpoint.release();
      expect((await answered).status).to.equal(503);
      expect((await stage.get(CALL_LOG).find(id))!.status).to.equal('running');
      await stage.stop();
      Object.assign(database, { write });
      stage = await start();
      await checkOften(stage);
      expect((await stage.get(CALL_LOG).find(id))!.status).to.equal('success');
      expect((await stage.get(CALL_STATISTICS).totals({})).status_counts).to.deep.equal({ success: 1 });
      expect(await openCalls(stage)).to.equal(0);
    });

    it('is not touched by retention', async () => {
      await stage.stop();
      stage = await start({
        settings: { invocation: { journal: 'intent', keep_records_count: 1, keep_payloads_count: 1 } },
      });
      const old = running({ id: '01900000-0000-7000-8000-000000000001' });
      await stage.get(RECORDER).begin(old);
      for (const row of [callRow(), callRow(), callRow()]) await stage.get(RECORDER).record(row);
      await stage.get(RETENTION).run();
      expect(await stage.get(CALL_LOG).count({})).to.equal(2);
      expect((await stage.get(CALL_LOG).find(old.id))!.input_data).to.deep.equal({ n: 1 });
    });

    it('appears in the order of history, on every page', async () => {
      const rows = Array.from({ length: 9 }, (_, n) => (n % 3 === 1 ? running() : callRow()));
      const recorder = stage.get(RECORDER);
      for (const row of rows) await (row.status === 'running' ? recorder.begin(row) : recorder.record(row));
      const ids = rows.map(({ id }) => id).toReversed();
      const log = stage.get(CALL_LOG);
      for (const limit of [1, 2, 4, 9]) {
        const paged: string[] = [];
        for (let skip = 0; skip < 9; skip += limit) {
          paged.push(...(await log.list({}, { skip, limit })).map(({ id }) => id));
        }
        expect(paged, `pages of ${limit}`).to.deep.equal(ids);
        const followed: string[] = [];
        for (let before: string | undefined; followed.length < 9; before = followed.at(-1)) {
          followed.push(...(await log.list({}, { skip: 0, limit, before })).map(({ id }) => id));
        }
        expect(followed, `pages of ${limit} by cursor`).to.deep.equal(ids);
      }
      expect(await log.count({})).to.equal(9);
    });

    it('writes nothing before the end by default', async () => {
      await stage.stop();
      stage = await start({ settings: {} });
      of = await stage.play({ algorithm: { name: 'Another' } });
      const { answered, id } = await startCall(stage, of);
      expect(await openCalls(stage)).to.equal(0);
      expect((await read(`/algorithms/calls/${id}`)).status).to.equal(404);
      endpoint.release();
      expect((await answered).status).to.equal(200);
      expect(await stage.get(DATABASE).knex('invocation_instances')).to.deep.equal([]);
    });
  });
});
