import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, type BatchInsert } from '../../../core/index.ts';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { CALL_LOG, CALL_STATISTICS } from '../../../plugins/invocation/contract.ts';
import { CallsInFlight } from '../../../plugins/invocation/calling/calls-in-flight.ts';
import { until } from '../../support/until.ts';
import { startUpstream } from '../../support/upstream.ts';
import { startStage, type Playable, type Stage } from './support/stage.ts';

const CALLS = 500;

describe('Many calls at once', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let plays: Playable[];
    let statuses: number[];
    const batches: number[] = [];
    before(async function () {
      this.timeout(60_000);
      stage = await startStage(engine, ({ body }) => ({ n: body.input_data.n }), {
        settings: {
          server: { max_in_flight: 2000 },
          // A second is little for so many where the machine does much else.
          invocation: { max_in_flight_per_version: 1000 },
        },
      });
      plays = [await stage.play(), await stage.play({ version: { url: 'http://127.0.0.1:1/' } })];
      const database = stage.get(DATABASE);
      const { write } = database;
      // A slow disk, so that calls gather behind a write however fast this machine is.
      database.write = async (batch: readonly BatchInsert[]) => {
        batches.push(batch.find(({ table }) => table === 'invocation_calls')?.rows.length ?? 0);
        await pause(50);
        return write(batch);
      };
      const tokens = [stage.alice, await stage.signUp('bob')];
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, n) =>
          stage.call(plays[n % 5 === 0 ? 1 : 0]!, { input_data: { n } }, tokens[n % 2]),
        ),
      );
      statuses = answers.map(({ status }) => status);
    });
    after(() => stage.stop());

    it('are all answered', () => {
      expect(statuses.filter((status) => status === 200)).to.have.length(CALLS);
    });

    it('are records, each once', async () => {
      const stored = await stage.get(CALL_LOG).list({}, { skip: 0, limit: 1000 });
      expect(new Set(stored.map(({ input_data }) => input_data?.['n'])).size).to.equal(CALLS);
      expect(stored).to.have.length(CALLS);
    });

    it('are counted exactly', async () => {
      const { total_calls, status_counts, total_response_time } = await stage.get(CALL_STATISTICS).totals({});
      const stored = await stage.get(CALL_LOG).list({}, { skip: 0, limit: 1000 });
      const seconds = stored.reduce((sum, { response_time }) => sum + response_time, 0);
      expect(total_calls).to.equal(CALLS);
      expect(status_counts).to.deep.equal({ success: 400, failed: 100 });
      expect(total_response_time).to.be.closeTo(seconds, 1e-6);
    });

    it('are counted exactly for each algorithm', async () => {
      const of = (play: Playable) => stage.get(CALL_STATISTICS).totals({ algorithmId: play.algorithm_id });
      expect([(await of(plays[0]!)).total_calls, (await of(plays[1]!)).total_calls]).to.deep.equal([
        400, 100,
      ]);
    });

    it('share transactions', () => {
      expect(batches.reduce((sum, size) => sum + size, 0)).to.equal(CALLS);
      expect(batches.length).to.be.below(CALLS / 2);
    });
  });
});

describe('The calls of one version', () => {
  const { signal } = new AbortController();

  it('wait for one another when the version has reached its limit', async () => {
    const inFlight = new CallsInFlight(2);
    const ends: (() => void)[] = [];
    const ask = () => inFlight.ask('one', () => new Promise<void>((resolve) => ends.push(resolve)), signal);
    const calls = [ask(), ask(), ask()];
    expect(ends).to.have.length(2);
    ends[0]!();
    await calls[0];
    await pause(0);
    expect(ends).to.have.length(3);
    for (const end of ends) end();
    await Promise.all(calls);
  });

  it('are refused after a second, and at once when the queue is full', async () => {
    const inFlight = new CallsInFlight(2);
    let end!: () => void;
    const hangs = new Promise<void>((resolve) => (end = resolve));
    const ask = () => inFlight.ask('one', () => hangs, signal).catch((error: { code: string }) => error.code);
    const calls = [ask(), ask(), ask()];
    expect(await ask()).to.equal('overloaded');
    expect(await calls[2]).to.equal('overloaded');
    expect(await inFlight.ask('another', () => Promise.resolve('answered'), signal)).to.equal('answered');
    end();
    await Promise.all(calls);
  });
});

/** 20 calls of a version ask its endpoint, and 10 wait. */
const fewCalls = { invocation: { max_in_flight_per_version: 20 } };

describe('An endpoint that hangs', () => {
  onEveryEngine((engine) => {
    it('does not block calls of others, however many calls it gets', async function () {
      this.timeout(30_000);
      let answer!: (value: unknown) => void;
      const answered = new Promise((resolve) => (answer = resolve));
      const stage = await startStage(engine, () => answered, { settings: fewCalls });
      const quick = await startUpstream();
      const [hanging, other] = [await stage.play(), await stage.play({ version: { url: quick.url } })];
      const first = stage.call(hanging);
      await until(() => stage.upstream.requests.length > 0);
      await pause(1100);
      const many = Array.from({ length: 60 }, () => stage.call(hanging));
      const [refused, { status }] = [await Promise.race(many), await stage.call(other)];
      answer({});
      const statuses = (await Promise.all([first, ...many])).map((one) => one.status);
      await Promise.all([stage.stop(), quick.stop()]);
      expect([refused.status, status]).to.deep.equal([503, 200]);
      // 20 asked, and half as many may have waited when the endpoint answered at last.
      expect(statuses.filter((one) => one === 200).length).to.be.within(20, 30);
    });

    it('delays others for a second at most when many call it and another hanging one at once', async function () {
      this.timeout(30_000);
      let answer!: (value: unknown) => void;
      const answered = new Promise((resolve) => (answer = resolve));
      const stage = await startStage(engine, () => answered, { settings: fewCalls });
      const quick = await startUpstream();
      const hanging = [await stage.play(), await stage.play()];
      const other = await stage.play({ version: { url: quick.url } });
      const many = hanging.flatMap((play) => Array.from({ length: 30 }, () => stage.call(play)));
      await Promise.race(many.map((call) => refusalOf(call)));
      await pause(1500);
      const after = [
        await stage.call(other),
        await stage.call(other),
        await stage.request('GET', '/users/me', { token: stage.alice }),
      ];
      answer({});
      await Promise.all([...many, stage.stop(), quick.stop()]);
      expect(after.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    });
  });
});

/** Resolves when the call is refused for there being too many, and never if it is not. */
async function refusalOf(call: Promise<TestResponse>): Promise<void> {
  if ((await call).status !== 503) await new Promise(() => undefined);
}
