import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, EVENTS, METRICS } from '../../../core/index.ts';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { routeChanged } from '../../../plugins/gateway/contract.ts';
import { ROUTE_CALLS } from '../../../plugins/gateway/traffic/route-calls.ts';
import { HEARD_ELSEWHERE_MS, until } from '../../support/until.ts';
import { startRollout, type Rollout } from './rollout.ts';
import { startPeer } from './support.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

type Change = { action: string; changed_by: string | null; reason: string };

onEveryEngine((engine) => {
  describe('a canary that fails', () => {
    let rollout: Rollout;
    const lines: string[] = [];
    before(async () => {
      rollout = await startRollout(engine, {
        log: { write: (line) => void lines.push(line) },
        gateway: { breaker_failures: 1000 },
      });
    });
    beforeEach(() => rollout.renew());
    after(() => rollout.stop());

    const rollback = (more: object = {}) => ({
      rollback: { max_failure_percent: 20, min_calls: 5, window_s: 10, ...more },
    });
    const calls = async (count: number): Promise<TestResponse[]> => {
      const answers = [];
      for (let i = 0; i < count; i++) answers.push(await rollout.callDefault());
      await rollout.settled();
      return answers;
    };
    const failures = async (count: number, status = 500): Promise<void> => {
      rollout.breakCanary(status);
      await calls(count);
      rollout.breakCanary(200);
    };
    const lastChange = async (): Promise<Change> => (await rollout.route()).history[0];
    /** Makes the counted calls older by this time. */
    const age = async (ms: number): Promise<void> => {
      const { knex } = rollout.get(DATABASE);
      await knex('gateway_route_calls')
        .where('slice', '>', 0)
        .update({ slice: knex.raw('slice - ?', [ms]) });
    };
    const isTakenBack = async () => (await lastChange()).action === 'taken_back';

    it('is taken back, and the stable version answers', async () => {
      await rollout.setCanary(100, rollback());
      await failures(5);
      const { versions, history } = await rollout.route();
      expect(versions.map(({ percent }: { percent: number }) => percent)).to.deep.equal([100, 0]);
      expect(history[0]).to.deep.include({
        revision: 2,
        action: 'taken_back',
        changed_by: null,
        reason: `5 of 5 calls of the version ${rollout.versions.canary} failed within 10 s; 20 % may.`,
      });
      const { headers, body } = await rollout.callDefault();
      expect(headers['x-vitrine-route']).to.equal('stable');
      expect(body.status).to.equal('success');
      expect(rollout.canaryEndpoint.requests).to.have.length(5);
    });

    it('stays taken back until an administrator changes the route', async () => {
      await rollout.setCanary(100, rollback());
      await failures(5);
      await calls(20);
      expect(rollout.canaryEndpoint.requests).to.have.length(5);
      await rollout.setCanary(100);
      await calls(1);
      expect(rollout.canaryEndpoint.requests).to.have.length(6);
    });

    it('is judged after a change only by later calls', async () => {
      await rollout.setCanary(100, rollback());
      await failures(4);
      await rollout.setCanary(99);
      await rollout.setCanary(100);
      await failures(4);
      expect(await isTakenBack()).to.equal(false);
      await failures(1);
      expect(await isTakenBack()).to.equal(true);
    });

    it('stays before there were enough calls', async () => {
      await rollout.setCanary(100, rollback({ min_calls: 6 }));
      await failures(5);
      expect(await isTakenBack()).to.equal(false);
    });

    it('stays while no more calls fail than the rule allows', async () => {
      await rollout.setCanary(100, rollback());
      await calls(8);
      await failures(2);
      expect(await isTakenBack()).to.equal(false);
      await failures(1);
      expect((await lastChange()).reason).to.match(/^3 of 11 calls/);
    });

    it('stays when the failures are older than the window', async () => {
      await rollout.setCanary(100, rollback());
      await failures(4);
      await age(11_000);
      await failures(4);
      expect(await isTakenBack()).to.equal(false);
      expect((await rollout.route()).versions[1]).to.include({ calls: 8, failed_calls: 8 });
      await failures(1);
      expect((await lastChange()).reason).to.match(/^5 of 5 calls/);
    });

    it('stays without a rule', async () => {
      await rollout.setCanary(100);
      await failures(10);
      expect(await isTakenBack()).to.equal(false);
    });

    it('is taken back when it refuses what callers send', async () => {
      await rollout.setCanary(100, rollback());
      await failures(5, 404);
      expect(await isTakenBack()).to.equal(true);
    });

    it('is taken back after a promotion, too', async () => {
      await rollout.setCanary(5, rollback());
      await rollout.manage('POST', `${rollout.path}/promote`, {});
      await failures(5);
      expect(await isTakenBack()).to.equal(true);
    });

    it('is taken back when calls that name it fail', async () => {
      await rollout.setCanary(1, rollback());
      rollout.breakCanary(500);
      for (let i = 0; i < 5; i++) await rollout.call({ version_id: rollout.versions.canary });
      await rollout.settled();
      expect(await isTakenBack()).to.equal(true);
    });

    it('is not judged by calls whose clients disconnect', async () => {
      await rollout.setCanary(100, rollback({ min_calls: 1, max_failure_percent: 0 }));
      rollout.breakCanary(0);
      for (let i = 0; i < 3; i++) {
        const leave = new AbortController();
        const asked = fetch(`${rollout.baseUrl}/gateway/call`, {
          method: 'POST',
          signal: leave.signal,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${rollout.caller.token}` },
          body: JSON.stringify(rollout.body({ version_id: 'default' })),
        }).catch(() => undefined);
        await until(() => rollout.canaryEndpoint.requests.length > i);
        leave.abort();
        await asked;
      }
      rollout.breakCanary(200);
      await calls(1);
      expect(await isTakenBack()).to.equal(false);
      expect((await rollout.route()).versions[1]).to.include({ calls: 1, failed_calls: 0 });
    });

    it('is taken back without changing the shares of other canaries', async () => {
      const { stable, canary } = rollout.versions;
      const other = await rollout.addVersion(rollout.upstream.url);
      const versions = [
        { version_id: stable, percent: 50 },
        { version_id: other, percent: 20 },
        { version_id: canary, percent: 30 },
      ];
      await rollout.manage('PUT', rollout.path, { versions, ...rollback() });
      rollout.breakCanary(500);
      for (let i = 0; i < 5; i++) await rollout.call({ version_id: canary });
      await rollout.settled();
      expect((await rollout.route()).history[0].versions).to.deep.equal([
        { version_id: stable, percent: 80 },
        { version_id: other, percent: 20 },
        { version_id: canary, percent: 0 },
      ]);
    });

    it('is never the stable version', async () => {
      const { canary } = rollout.versions;
      await rollout.setCanary(100, { stable_version_id: canary, ...rollback() });
      await failures(10);
      expect(await isTakenBack()).to.equal(false);
    });

    it('is taken back once, however many of its calls fail at once', async () => {
      await rollout.setCanary(100, rollback());
      rollout.breakCanary(500);
      await Promise.all(Array.from({ length: 30 }, () => rollout.callDefault()));
      await rollout.settled();
      const { history } = await rollout.route();
      expect(history.map(({ action }: Change) => action)).to.deep.equal(['taken_back', 'set']);
    });

    it('appears in the log, the metrics and the events', async () => {
      const heard: unknown[] = [];
      const bus = rollout.get(EVENTS) as unknown as { listen: (...args: unknown[]) => void };
      bus.listen(routeChanged, 'test', (fact: unknown) => heard.push(fact));
      const counted = async () => {
        const { text } = await rollout.get(METRICS).expose();
        return Number(/gateway_route_changes_total\{action="taken_back"\} (\d+)/.exec(text)?.[1] ?? 0);
      };
      const before = await counted();
      await rollout.setCanary(100, rollback());
      lines.length = 0;
      await failures(5);
      const { reason } = await lastChange();
      const { stable, canary } = rollout.versions;
      const fact = {
        algorithm_id: rollout.target.algorithm_id,
        action: 'taken_back',
        changed_by: null,
        reason,
        stable_version_id: stable,
        versions: [
          { version_id: stable, percent: 100 },
          { version_id: canary, percent: 0 },
        ],
      };
      expect((await counted()) - before).to.equal(1);
      expect(heard.at(-1)).to.deep.equal(fact);
      const logged = lines
        .map((line) => JSON.parse(line))
        .find(({ msg }) => msg === 'A canary failed and was taken back.');
      expect(logged).to.deep.include({ ...fact, level: logged.level });
      expect(['warn', 40]).to.include(logged.level);
    });

    it('leaves counts behind that are thrown away when no window reaches them', async () => {
      await rollout.setCanary(99, rollback());
      await calls(1);
      await rollout.setCanary(100);
      await calls(1);
      const { id } = await rollout.route();
      const stored = async () =>
        (await rollout.get(DATABASE).knex('gateway_route_calls').where('route_id', id)).map(
          ({ revision, slice }) => [revision, Number(slice) > 0],
        );
      const forget = () => rollout.get(ROUTE_CALLS).deleteOld();
      await forget();
      expect(await stored()).to.have.deep.members([
        [2, false],
        [2, true],
      ]);
      await age(7_300_000);
      await forget();
      expect(await stored()).to.deep.equal([[2, false]]);
      await rollout.manage('DELETE', rollout.path);
      await forget();
      expect(await stored()).to.deep.equal([]);
    });
  });

  describe('a canary whose circuit opens', () => {
    let rollout: Rollout;
    before(async () => {
      rollout = await startRollout(engine, { gateway: { breaker_failures: 3, breaker_open_ms: 60_000 } });
    });
    beforeEach(() => rollout.renew());
    after(() => rollout.stop());

    const rule = { rollback: { max_failure_percent: 20, min_calls: 50, window_s: 60 } };
    const calls = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await rollout.callDefault();
      await rollout.settled();
    };

    it('is taken back with fewer calls than the minimum', async () => {
      await rollout.setCanary(100, rule);
      rollout.breakCanary(500);
      await calls(3);
      const { history } = await rollout.route();
      expect(history[0]).to.include({ action: 'taken_back' });
      // The circuit opens with the third failure; its record may come when the second is being judged.
      expect(history[0].reason).to.match(/^([23]) of \1 calls.*and its circuit is open[.]$/);
    });

    it('stays when few of them failed: it may recover', async () => {
      await rollout.setCanary(100, rule);
      await calls(15);
      rollout.breakCanary(500);
      await calls(3);
      expect((await rollout.route()).history[0]).to.include({ action: 'set' });
    });
  });

  describe('a canary that was taken back', () => {
    it('has no calls after a restart either', async () => {
      const scratch = await migratedScratch(engine);
      const first = await startRollout(engine, { scratch, gateway: { breaker_failures: 1000 } });
      const rollback = { max_failure_percent: 0, min_calls: 2, window_s: 60 };
      await first.setCanary(100, { rollback });
      first.breakCanary(500);
      for (let i = 0; i < 2; i++) await first.callDefault();
      await first.settled();
      const { history } = await first.route();
      await first.stop();
      const second = await startPeer(scratch, engine);
      const { token } = first.caller;
      const body = first.body({ version_id: 'default' });
      const answer = await second.request('POST', '/gateway/call', { token, body });
      const read = await second.request('GET', first.path, { token: first.adminToken });
      await second.stop();
      await scratch.remove();
      expect(answer.body.version_id).to.equal(first.versions.stable);
      expect(answer.headers['x-vitrine-route']).to.equal('stable');
      expect(read.body.history).to.deep.equal(history);
      expect(history[0].action).to.equal('taken_back');
    });
  });
});

describe('a canary that fails on several instances on one PostgreSQL', () => {
  it('is judged by the calls of all instances, and taken back once on all of them', async () => {
    const scratch = await migratedScratch('postgres');
    const settings = { breaker_failures: 1000 };
    const one = await startRollout('postgres', { scratch, gateway: settings });
    const other = await startPeer(scratch, 'postgres', settings);
    const { token } = one.caller;
    const body = one.body({ version_id: 'default' });
    const callOther = () => other.request('POST', '/gateway/call', { token, body });
    const rollback = { max_failure_percent: 50, min_calls: 20, window_s: 60 };
    await one.setCanary(100, { rollback });
    one.breakCanary(500);
    while ((await callOther()).headers['x-vitrine-route'] !== 'canary') await pause(10);
    for (let i = 0; i < 9; i++) await Promise.all([one.callDefault(), callOther()]);
    const lastAction = async (): Promise<string> => {
      await Promise.all([one, other].map((instance) => instance.settled()));
      return (await one.route()).history[0].action;
    };
    // One more call was made while waiting for the other instance to read the route.
    const early = [(await one.route()).versions[1].calls, await lastAction()];
    await one.callDefault();
    const late = await lastAction();
    const began = performance.now();
    let routes = ['canary', 'canary'];
    while (routes.includes('canary') && performance.now() - began < HEARD_ELSEWHERE_MS) {
      const answers = await Promise.all([one.callDefault(), callOther()]);
      routes = answers.map(({ headers }) => headers['x-vitrine-route']!);
    }
    const { history } = await one.route();
    await other.stop();
    await one.stop();
    await scratch.remove();
    expect(early).to.deep.equal([19, 'set']);
    expect(late).to.equal('taken_back');
    expect(routes).to.deep.equal(['stable', 'stable']);
    expect(history.map(({ action }: Change) => action)).to.deep.equal(['taken_back', 'set']);
  });
});
