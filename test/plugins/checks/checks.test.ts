import { expect } from 'chai';
import { DATABASE, METRICS } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { VERSION_CHECKER } from '../../../plugins/checks/version-checker.ts';
import { until } from '../../support/until.ts';
import { openStandIn, RIGHT, WRONG, type Checked, type StandIn } from './support/stand-in.ts';

describe('Checks of versions', () => {
  onEveryEngine((engine) => {
    let standIn: StandIn;
    let of: Checked;
    const algorithm = () => standIn.ask('GET', `/algorithms/${of.algorithm_id}`);
    const runs = async () => (await standIn.ask('GET', `${of.path}/checks`)).checks;

    before(async () => {
      standIn = await openStandIn(engine);
    });
    after(() => standIn.stop());
    beforeEach(async () => {
      standIn.answers(RIGHT);
      of = await standIn.checked();
      standIn.upstream.requests.length = 0;
      standIn.told.length = 0;
    });
    afterEach(() => standIn.ask('DELETE', `/algorithms/${of.algorithm_id}`));

    it('find a version working, then broken, then working, each since when', async () => {
      expect(await standIn.stateOf(of)).to.include({ state: 'unchecked', since: null, reason: 'waiting' });
      await standIn.hoursLater(2);
      const working = await standIn.stateOf(of);
      expect(working).to.include({ state: 'working', reason: null });
      expect(Date.parse(working.checked_at) - Date.parse(working.since)).to.equal(3_600_000);
      standIn.answers(WRONG);
      await standIn.hoursLater();
      const broken = await standIn.stateOf(of);
      expect(broken).to.include({ state: 'broken', since: broken.checked_at });
      standIn.answers(RIGHT);
      await standIn.hoursLater();
      const mended = await standIn.stateOf(of);
      expect(mended).to.include({ state: 'working', since: mended.checked_at });
    });

    it('show the state on the algorithm, its versions and in lists, at once', async () => {
      expect((await algorithm()).check).to.deep.equal({ state: 'unchecked', since: null });
      for (const [answer, state] of [
        [RIGHT, 'working'],
        [WRONG, 'broken'],
      ] as const) {
        standIn.answers(answer);
        await standIn.hoursLater();
        const { since } = await standIn.stateOf(of);
        const shown = await algorithm();
        expect(shown.check).to.deep.equal({ state, since });
        expect(shown.versions[0].check).to.deep.equal({ state, since });
        const { body } = await standIn.request('GET', '/algorithms');
        expect(body.algorithms[0].check).to.deep.equal({ state, since });
        expect((await standIn.request('GET', of.path)).body.check).to.deep.equal({ state, since });
      }
    });

    it('tell once that a version broke, after three failures in a row, and that it works again', async () => {
      standIn.answers(WRONG);
      await standIn.hoursLater(2);
      expect(standIn.told).to.deep.equal([]);
      await standIn.hoursLater(2);
      const { since } = await standIn.stateOf(of);
      const ids = { algorithm_id: of.algorithm_id, version_id: of.version_id };
      const broke = { broke: { ...ids, since, failed_runs: 3 } };
      expect(standIn.told).to.deep.equal([broke]);
      standIn.answers(RIGHT);
      await standIn.hoursLater(2);
      expect(standIn.told).to.deep.equal([broke, { mended: { ...ids, failed_runs: 4 } }]);
    });

    it('tell nothing of a version that failed twice and works again', async () => {
      standIn.answers(WRONG);
      await standIn.hoursLater(2);
      standIn.answers(RIGHT);
      await standIn.hoursLater();
      expect(standIn.told).to.deep.equal([]);
    });

    it('ask the endpoint once an hour, however often the job runs', async () => {
      await standIn.hoursLater();
      await standIn.runJob('checks:check-versions');
      await standIn.runJob('checks:check-versions');
      expect(standIn.upstream.requests).to.have.lengthOf(1);
      expect(standIn.upstream.requests[0]).to.include({ method: 'POST' });
      expect(standIn.upstream.requests[0]!.body).to.deep.equal({ input_data: {}, params: {} });
    });

    for (const [what, change] of [
      ['the version', () => standIn.ask('PUT', of.path, { url: `${standIn.upstream.url}/other` })],
      ['its examples', () => standIn.addExample(of, { name: 'Two' })],
    ] as const) {
      it(`know nothing any more once ${what} changed, and check again without waiting for the hour`, async () => {
        await standIn.hoursLater();
        await change();
        await standIn.settled();
        expect(await standIn.stateOf(of)).to.include({ state: 'unchecked', reason: 'waiting' });
        expect((await algorithm()).check.state).to.equal('unchecked');
        await standIn.runJob('checks:check-versions');
        expect(await standIn.stateOf(of)).to.include({ state: 'working' });
      });
    }

    for (const [reason, prepare] of [
      ['inactive', () => standIn.ask('PUT', `/algorithms/${of.algorithm_id}`, { status: 'inactive' })],
      [
        'no_examples',
        async () => {
          const [{ id }] = await standIn.ask('GET', `${of.path}/examples`);
          await standIn.ask('DELETE', `${of.path}/examples/${id}`);
        },
      ],
      [
        'no_expected_output',
        async () => {
          const [{ id }] = await standIn.ask('GET', `${of.path}/examples`);
          await standIn.ask('PUT', `${of.path}/examples/${id}`, { output_data: null });
        },
      ],
      [
        'no_examples',
        () => standIn.ask('PUT', of.path, { input_schema: { type: 'object', required: ['more'] } }),
      ],
    ] as const) {
      it(`leave a version out and say why: ${reason}`, async () => {
        await standIn.hoursLater();
        await prepare();
        await standIn.settled();
        standIn.upstream.requests.length = 0;
        await standIn.hoursLater();
        expect(await standIn.stateOf(of)).to.include({ state: 'unchecked', since: null, reason });
        expect((await algorithm()).check.state).to.equal('unchecked');
        expect(standIn.upstream.requests).to.have.lengthOf(0);
      });
    }

    it('keep the last twenty results', async () => {
      await standIn.hoursLater(23);
      const kept = await runs();
      expect(kept).to.have.lengthOf(20);
      expect(kept[0].started_at).to.equal((await standIn.stateOf(of)).checked_at);
    });

    it('go with their version', async () => {
      await standIn.hoursLater();
      await standIn.ask('POST', `/algorithms/${of.algorithm_id}/versions`, {
        version: '2',
        url: standIn.upstream.url,
      });
      await standIn.ask('DELETE', of.path);
      await standIn.settled();
      const { knex } = standIn.get(DATABASE);
      for (const table of ['checks_states', 'checks_runs'])
        expect(await knex(table).where({ version_id: of.version_id })).to.deep.equal([]);
    });

    it('leave limits, circuits, statistics, history and counters as they are', async () => {
      const figures = async () =>
        Promise.all(
          [
            '/gateway/stats',
            '/history/statistics',
            '/history/user-calls',
            `/monitoring/performance/algorithm/${of.algorithm_id}?days=1`,
            '/monitoring/series',
          ].map(async (path) => {
            const { timestamp: _, last_updated: __, direct, ...rest } = await standIn.ask('GET', path);
            return JSON.stringify([rest, direct?.total_requests]);
          }),
        );
      await standIn.call(of, {}, standIn.key);
      const limit = (await standIn.call(of, {}, standIn.key)).headers['ratelimit'];
      const before = await figures();
      const called = standIn.upstream.requests.length;
      standIn.answers(() => undefined);
      for (let n = 0; n < 7; n += 1) await standIn.ask('POST', `${of.path}/checks`);
      expect(standIn.upstream.requests).to.have.lengthOf(called + 7);
      expect(await figures()).to.deep.equal(before);
      expect(await standIn.get(DATABASE).knex('invocation_calls')).to.have.lengthOf(2);
      standIn.answers(RIGHT);
      const { status, body, headers } = await standIn.call(of, {}, standIn.key);
      expect([status, body.status]).to.deep.equal([200, 'success']);
      const left = (header: unknown): number => Number(/r=(\d+)/.exec(String(header))?.[1]);
      expect(left(headers['ratelimit'])).to.equal(left(limit) - 1);
    });

    it('count the broken versions in every process, also in one that checked none', async () => {
      standIn.answers(WRONG);
      await standIn.hoursLater();
      const peer = await standIn.peer();
      try {
        const broken = async () => {
          const { text } = await peer.get(METRICS).expose();
          return text.split('\n').find((line) => line.startsWith('vitrine_checks_versions_broken '));
        };
        expect(await broken()).to.equal('vitrine_checks_versions_broken 1');
        standIn.answers(RIGHT);
        await standIn.ask('POST', `${of.path}/checks`);
        expect(await broken()).to.equal('vitrine_checks_versions_broken 0');
      } finally {
        await peer.stop();
      }
    });

    describe('that are asked for while the version is being checked', () => {
      let asked = 0;
      let goOn: () => void;
      const check = () => standIn.ask('POST', `${of.path}/checks`);
      const untilAskedFor = (count: number) => until(() => asked === count);
      const untilAtEndpoint = (count: number) => until(() => standIn.upstream.requests.length === count);

      before(() => {
        const checker = standIn.get(VERSION_CHECKER);
        const { check: original } = checker;
        checker.check = (...order) => {
          asked += 1;
          return original.apply(checker, order);
        };
      });
      beforeEach(() => {
        asked = 0;
        const stood = new Promise<void>((resolve) => (goOn = resolve));
        standIn.answers(() => stood.then(() => ({ value: 1 })));
      });

      it('are that check, and the endpoint is asked once', async () => {
        const both = Promise.all([check(), check()]);
        await untilAskedFor(2);
        goOn();
        const [first, second] = await both;
        expect(second).to.deep.equal(first);
        expect(standIn.upstream.requests).to.have.lengthOf(1);
      });

      it('are that of the schedule', async () => {
        const scheduled = standIn.runJob('checks:check-versions');
        await untilAtEndpoint(1);
        const byHand = check();
        await untilAskedFor(2);
        goOn();
        expect(await byHand).to.include({ passed: true, asked_by: null });
        await scheduled;
        expect(standIn.upstream.requests).to.have.lengthOf(1);
      });

      it('are made again where the client that began it goes away', async () => {
        const client = new AbortController();
        const left = fetch(`${standIn.baseUrl}${of.path}/checks`, {
          method: 'POST',
          headers: { authorization: `Bearer ${standIn.key}` },
          signal: client.signal,
        }).catch((error: unknown) => (error as Error).name);
        await untilAtEndpoint(1);
        const stays = check();
        await untilAskedFor(2);
        client.abort();
        expect(await left).to.equal('AbortError');
        await untilAtEndpoint(2);
        goOn();
        expect((await stays).passed).to.equal(true);
      });

      it('are made after it where the examples have changed since', async () => {
        const first = check();
        await untilAtEndpoint(1);
        await standIn.addExample(of, { name: 'Two', output_data: { value: 2 } });
        const second = check();
        await untilAskedFor(2);
        expect(standIn.upstream.requests).to.have.lengthOf(1);
        goOn();
        expect([(await first).passed, (await second).passed]).to.deep.equal([true, false]);
      });
    });

    it('check each version once when two processes run the job', async () => {
      const peer = await standIn.peer();
      try {
        const others = [await standIn.checked(), await standIn.checked()];
        standIn.upstream.requests.length = 0;
        await Promise.allSettled([standIn.hoursLater(), peer.runJob('checks:check-versions')]);
        await peer.runJob('checks:check-versions');
        expect(standIn.upstream.requests).to.have.lengthOf(3);
        for (const { algorithm_id } of others) await standIn.ask('DELETE', `/algorithms/${algorithm_id}`);
      } finally {
        await peer.stop();
      }
    });
  });
});
