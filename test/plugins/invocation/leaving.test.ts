import { expect } from 'chai';
import { contribute, DATABASE, definePlugin, type BatchInsert } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { CALL_GUARDS, CALL_LOG, type CallGuard } from '../../../plugins/invocation/contract.ts';
import { until } from '../../support/until.ts';
import { startStage, type Playable, type Stage } from './support/stage.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Begins a call as alice, whose client goes away when the signal aborts. */
function callAndLeave(stage: Stage, of: Playable, signal: AbortSignal): Promise<unknown> {
  return fetch(`${stage.baseUrl}/algorithms/call`, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${stage.alice}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...of, input_data: {} }),
  }).catch((error: Error) => error.name);
}

const guardedBy = (guard: CallGuard) =>
  definePlugin({
    id: 'witness',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Sees what becomes of calls',
    requires: ['invocation'],
    contributes: [contribute(CALL_GUARDS, { deps: {}, create: () => guard })],
  });

describe('An answer', () => {
  onEveryEngine((engine) => {
    it('comes only after the record is durable', async () => {
      const stage = await startStage(engine);
      const of = await stage.play();
      const database = stage.get(DATABASE);
      const { write } = database;
      let isDurable = false;
      database.write = async (batch: readonly BatchInsert[]) => {
        await pause(150);
        await write(batch);
        isDurable = true;
      };
      const { status } = await stage.call(of);
      const wasDurable = isDurable;
      await stage.stop();
      expect([status, wasDurable]).to.deep.equal([200, true]);
    });
  });
});

describe('A client that disconnects', () => {
  onEveryEngine((engine) => {
    it('ends the request to the endpoint, and leaves a record', async () => {
      let dropped = false;
      const stage = await startStage(engine, (_, response) => {
        response.on('close', () => (dropped = true));
        return new Promise(() => undefined);
      });
      const of = await stage.play();
      const leaving = new AbortController();
      const gone = callAndLeave(stage, of, leaving.signal);
      await until(() => stage.upstream.requests.length > 0);
      leaving.abort();
      expect(await gone).to.equal('AbortError');
      const calls = stage.get(CALL_LOG);
      await until(async () => (await calls.count({})) > 0, 2_000);
      const [record] = await calls.list({}, { skip: 0, limit: 1 });
      await stage.stop();
      expect(record).to.include({ status: 'failed', error_code: 'canceled', output_data: null });
      expect(dropped).to.equal(true);
    });

    it('leaves nothing while its call waits for other calls of the version', async () => {
      const answers: ((value: object) => void)[] = [];
      let admitted = 0;
      const takenBack: unknown[] = [];
      const witness = guardedBy({
        name: 'witness',
        admit: () => {
          admitted += 1;
          return (refusal) => void takenBack.push((refusal as Error).name);
        },
      });
      const stage = await startStage(engine, () => new Promise((resolve) => answers.push(resolve)), {
        plugins: [witness],
        settings: { invocation: { max_in_flight_per_version: 1, journal: 'intent' } },
      });
      const of = await stage.play();
      const running = stage.call(of);
      await until(() => stage.upstream.requests.length === 1);
      const leaving = new AbortController();
      const gone = callAndLeave(stage, of, leaving.signal);
      await until(() => admitted === 2);
      leaving.abort();
      await gone;
      await until(() => takenBack.length > 0);
      answers[0]!({});
      const { status } = await running;
      const records = await stage.get(CALL_LOG).count({});
      await stage.stop();
      expect(takenBack).to.deep.equal(['AbortError']);
      expect([status, records, stage.upstream.requests.length]).to.deep.equal([200, 1, 1]);
    });

    it('leaves nothing while its call is checked', async () => {
      let [isChecked, takenBack] = [false, 0];
      const witness = guardedBy({
        name: 'witness',
        receive: ({ context: { signal } }) => {
          isChecked = true;
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
        },
        admit: () => () => void (takenBack += 1),
      });
      const stage = await startStage(engine, undefined, {
        plugins: [witness],
        settings: { invocation: { journal: 'intent' } },
      });
      const leaving = new AbortController();
      const gone = callAndLeave(stage, await stage.play(), leaving.signal);
      await until(() => isChecked);
      leaving.abort();
      await gone;
      await until(() => takenBack === 1, 2_000);
      const records = await stage.get(CALL_LOG).count({});
      await stage.stop();
      expect([records, stage.upstream.requests.length]).to.deep.equal([0, 0]);
    });
  });
});

describe('A stop', () => {
  onEveryEngine((engine) => {
    it('answers the calls that exceed its deadline, and their records explain why they failed', async () => {
      const scratch = await migratedScratch(engine);
      const settings = { server: { shutdown_ms: 2000 } };
      const stage = await startStage(engine, () => new Promise(() => undefined), { scratch, settings });
      const of = await stage.play();
      const calls = Array.from({ length: 10 }, () => stage.call(of));
      await until(() => stage.upstream.requests.length >= 10);
      await stage.stop();
      const answers = await Promise.all(calls);
      const next = await startStage(engine, undefined, { scratch });
      const records = await next.get(CALL_LOG).list({}, { skip: 0, limit: 100 });
      await next.stop();
      await scratch.remove();
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
      const interrupted = {
        status: 'failed',
        error_code: 'interrupted',
        error_message:
          'The service stopped before the endpoint answered; it may have done its work all the same.',
      };
      for (const { body } of answers) expect(body).to.include(interrupted);
      expect(records.map(({ id }) => id)).to.have.members(answers.map(({ body }) => body.id as string));
      for (const record of records) expect(record).to.include(interrupted);
    });

    it('lets the calls in flight end, and their records are there afterwards', async () => {
      const scratch = await migratedScratch(engine);
      const stage = await startStage(engine, () => pause(300).then(() => ({ done: true })), { scratch });
      const of = await stage.play();
      const calls = Array.from({ length: 10 }, () => stage.call(of));
      await until(() => stage.upstream.requests.length >= 10);
      await stage.stop();
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      const next = await startStage(engine, undefined, { scratch });
      const stored = await next.get(CALL_LOG).count({ status: 'success' });
      await next.stop();
      await scratch.remove();
      expect(statuses).to.deep.equal(Array(10).fill(200));
      expect(stored).to.equal(10);
    });
  });
});
