import { expect } from 'chai';
import { DATABASE } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { startGateway, startPeer, type GatewayUnderTest } from './support.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

onEveryEngine((engine) => {
  describe('rate limits of the gateway', () => {
    let gateway: GatewayUnderTest;
    before(async () => {
      gateway = await startGateway(engine, { gateway: { rate_limit: 3, rate_window_s: 60 } });
    });
    beforeEach(() => gateway.renew());
    after(() => gateway.stop());

    const statuses = async (times: number, token?: string, more?: object): Promise<number[]> => {
      const answers = [];
      for (let i = 0; i < times; i++) answers.push(await gateway.call(more, token));
      return answers.map(({ status }) => status);
    };

    it('let a caller make as many requests as the setting allows, and then answer 429', async () => {
      expect(await statuses(5)).to.deep.equal([200, 200, 200, 429, 429]);
    });

    it('let exactly as many concurrent requests pass', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.call()));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(3);
      expect(answers.filter(({ status }) => status === 429)).to.have.length(17);
    });

    it('report in a refusal when to try again, in consistent headers', async () => {
      await statuses(3);
      const { headers, body } = await gateway.call();
      expect(body.code).to.equal('rate_limited');
      const seconds = Number(headers['retry-after']);
      expect(seconds).to.be.within(1, 60);
      expect(headers['ratelimit']).to.equal(`"user";r=0;t=${seconds}`);
      expect(headers['ratelimit-policy']).to.equal('"user";q=3;w=60');
    });

    it('leave a refused request without a record', async () => {
      gateway.upstream.requests.length = 0;
      await statuses(5);
      expect(gateway.upstream.requests).to.have.length(3);
    });

    it('count each caller separately', async () => {
      await statuses(4);
      const other = await gateway.user('neighbour');
      expect((await gateway.call({}, other.token)).status).to.equal(200);
    });

    it('are one limit for every way to call', async () => {
      const { token } = gateway.caller;
      await statuses(2);
      const direct = () => gateway.request('POST', '/algorithms/call', { token, body: gateway.body() });
      expect([(await direct()).status, (await direct()).status]).to.deep.equal([200, 429]);
      expect(await statuses(1)).to.deep.equal([429]);
    });

    it('follow the policy of a user instead of the setting', async () => {
      await gateway.manage('POST', '/gateway/policies', {
        name: 'less',
        subject: 'user',
        subject_id: gateway.caller.id,
        limit: 1,
      });
      expect(await statuses(2)).to.deep.equal([200, 429]);
    });

    it('follow the policy for each user where one has none of their own', async () => {
      await gateway.manage('POST', '/gateway/policies', { name: 'all', subject: 'user', limit: 2 });
      const { headers } = await gateway.call();
      expect(headers['ratelimit-policy']).to.equal('"user";q=2;w=60');
    });

    it('are the setting again once the policy is disabled', async () => {
      const fields = { name: 'less', subject: 'user', subject_id: gateway.caller.id, limit: 1 };
      const policy = await gateway.manage('POST', '/gateway/policies', fields);
      await gateway.manage('PUT', `/gateway/policies/${policy.id}`, { enabled: false });
      const { headers } = await gateway.call();
      expect(headers['ratelimit-policy']).to.equal('"user";q=3;w=60');
    });

    it('of an algorithm are shared by its callers, beside their own', async () => {
      const fields = {
        name: 'busy',
        subject: 'algorithm',
        subject_id: gateway.target.algorithm_id,
        limit: 2,
      };
      await gateway.manage('POST', '/gateway/policies', { ...fields, window_s: 30 });
      const other = await gateway.user('other');
      const first = await gateway.call();
      expect(first.headers['ratelimit-policy']).to.equal('"user";q=3;w=60, "algorithm";q=2;w=30');
      await gateway.call({}, other.token);
      const refused = await gateway.call();
      expect([refused.status, refused.body.detail]).to.deep.equal([
        429,
        `The limit "algorithm" of 2 requests in 30 s is used up. Try again in ${refused.headers['retry-after']} s.`,
      ]);
    });

    it('of an algorithm do not spend the own limits of refused callers', async () => {
      const { algorithm_id } = gateway.target;
      const fields = { name: 'scarce', subject: 'algorithm', subject_id: algorithm_id, limit: 1 };
      await gateway.manage('POST', '/gateway/policies', { ...fields, window_s: 3600 });
      expect(await statuses(10)).to.deep.equal([200, ...Array.from({ length: 9 }, () => 429)]);
      const refused = await Promise.all(Array.from({ length: 5 }, () => gateway.call()));
      expect(refused.map(({ status }) => status)).to.deep.equal(Array.from({ length: 5 }, () => 429));
      expect((await gateway.call()).headers['ratelimit']).to.match(/^"user";r=2;/);
      const other = await gateway.addAlgorithm();
      expect(await statuses(3, undefined, other)).to.deep.equal([200, 200, 429]);
    });

    it('of an API key apply only to requests with it', async () => {
      const key = await gateway.apiKey();
      const fields = { name: 'key', subject: 'api_key', subject_id: key.id, limit: 1 };
      await gateway.manage('POST', '/gateway/policies', fields);
      expect(await statuses(2, key.key)).to.deep.equal([200, 429]);
      expect(await statuses(1)).to.deep.equal([200]);
    });

    it('start again with the next window', async () => {
      await gateway.manage('POST', '/gateway/policies', {
        name: 'short',
        subject: 'user',
        subject_id: gateway.caller.id,
        limit: 1,
        // Both calls must be in it on a machine that does much else.
        window_s: 5,
      });
      expect(await statuses(2)).to.deep.equal([200, 429]);
      await new Promise((resolve) => setTimeout(resolve, 5100));
      expect(await statuses(1)).to.deep.equal([200]);
    });
  });
});

describe('rate limits of several instances on one PostgreSQL', () => {
  it('are one limit', async () => {
    const scratch = await migratedScratch('postgres');
    const limit = { rate_limit: 20, rate_window_s: 60 };
    const one = await startGateway('postgres', { scratch, gateway: limit });
    const other = await startPeer(scratch, 'postgres', limit);
    const { token } = one.caller;
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 === 0 ? one : other).request('POST', '/gateway/call', { token, body: one.body() }),
      ),
    );
    await other.stop();
    await one.stop();
    await scratch.remove();
    expect(answers.filter(({ status }) => status === 200)).to.have.length(20);
    expect(answers.filter(({ status }) => status === 429)).to.have.length(20);
  });

  it('end in time for an instance whose clock was set back', async () => {
    const scratch = await migratedScratch('postgres');
    const limit = { rate_limit: 1, rate_window_s: 60 };
    const one = await startGateway('postgres', { scratch, gateway: limit });
    const { token } = one.caller;
    await one.call();
    const { knex } = one.get(DATABASE);
    await knex('gateway_windows').update({ expire: knex.raw('expire + 7200000') });
    const other = await startPeer(scratch, 'postgres', limit);
    const request = { token, body: one.body() };
    const statuses = [];
    for (let i = 0; i < 2; i++) statuses.push((await other.request('POST', '/gateway/call', request)).status);
    await other.stop();
    await one.stop();
    await scratch.remove();
    expect(statuses).to.deep.equal([200, 429]);
  });
});
