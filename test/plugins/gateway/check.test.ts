import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startUpstream } from '../../support/upstream.ts';
import { startGateway, type GatewayUnderTest } from './support.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

onEveryEngine((engine) => {
  describe('POST /gateway/check', () => {
    let gateway: GatewayUnderTest;
    let others = 0;
    before(async () => {
      gateway = await startGateway(engine, {
        upstream: await startUpstream((_request, response) => response.writeHead(500).end()),
        gateway: { rate_limit: 2, rate_window_s: 60, breaker_failures: 2, breaker_open_ms: 60_000 },
      });
    });
    beforeEach(() => gateway.renew());
    after(() => gateway.stop());

    const check = (body: object, token = gateway.caller.token) =>
      gateway.request('POST', '/gateway/check', { token, body });

    it('reports that a call would pass, and what is left', async () => {
      expect((await check(gateway.target)).body).to.deep.equal({
        allowed: true,
        code: null,
        reason: null,
        rule: null,
        clears_at: null,
        limits: [{ name: 'user', policy_id: null, limit: 2, window_s: 60, remaining: 2, resets_at: null }],
      });
    });

    it('spends and counts nothing', async () => {
      const before = await gateway.stats();
      for (let i = 0; i < 5; i++) await check(gateway.target);
      const { body } = await check(gateway.target);
      expect(body.limits[0].remaining).to.equal(2);
      expect(await gateway.stats()).to.include({ total_requests: before.total_requests });
    });

    it('names the block rule, its reason and its end', async () => {
      const until = '2099-01-01T00:00:00.000Z';
      const fields = { subject: 'user', value: gateway.caller.id, reason: 'Enough.', until };
      const rule = await gateway.manage('POST', '/gateway/blocks', fields);
      expect((await check({})).body).to.deep.include({
        allowed: false,
        code: 'blocked',
        reason: 'Enough.',
        rule: { kind: 'block', id: rule.id },
        clears_at: until,
      });
    });

    it('names the block rule that ends last of several', async () => {
      const block = (more: object) =>
        gateway.manage('POST', '/gateway/blocks', {
          subject: 'user',
          value: gateway.caller.id,
          reason: 'Enough.',
          ...more,
        });
      const soon = '2098-01-01T00:00:00.000Z';
      const late = '2099-01-01T00:00:00.000Z';
      await block({ until: soon });
      const longer = await block({ until: late });
      await block({ until: soon });
      expect((await check({})).body).to.deep.include({
        rule: { kind: 'block', id: longer.id },
        clears_at: late,
      });
      const network = { subject: 'network', reason: 'Scans.' };
      await block({ ...network, value: '127.0.0.0/16', until: soon });
      const endless = await block({ ...network, value: '127.0.0.0/8' });
      expect((await check({})).body).to.deep.include({
        rule: { kind: 'block', id: endless.id },
        clears_at: null,
      });
      expect((await gateway.call()).body).to.include({ block_id: endless.id, blocked_until: null });
    });

    it('names the exhausted limit and the end of its window', async () => {
      await gateway.call();
      await gateway.call();
      const { body } = await check({});
      expect(body).to.deep.include({ code: 'rate_limited', rule: { kind: 'setting', id: null } });
      const wait = Date.parse(body.clears_at) - Date.now();
      expect(wait).to.be.within(50_000, 60_000);
      expect(body.limits[0]).to.include({ remaining: 0, resets_at: body.clears_at });
    });

    it('names the policy where one sets the limit', async () => {
      const fields = { name: 'one', subject: 'user', subject_id: gateway.caller.id, limit: 1 };
      const policy = await gateway.manage('POST', '/gateway/policies', fields);
      await gateway.call();
      expect((await check({})).body.rule).to.deep.equal({ kind: 'policy', id: policy.id });
    });

    it('names the version whose circuit is open', async () => {
      await gateway.call();
      await gateway.call();
      const other = await gateway.user(`other-${++others}`);
      const { body } = await check(gateway.target, other.token);
      expect(body).to.deep.include({
        code: 'circuit_open',
        rule: { kind: 'circuit', id: gateway.target.version_id },
      });
      expect(Date.parse(body.clears_at)).to.be.greaterThan(Date.now());
    });

    it('lets administrators name other callers', async () => {
      const fields = { subject: 'network', value: '192.0.2.0/24', reason: 'Scans.' };
      await gateway.manage('POST', '/gateway/blocks', fields);
      const { body } = await check({ user_id: gateway.caller.id, address: '192.0.2.7' }, gateway.adminToken);
      expect(body.code).to.equal('blocked');
    });

    it('evaluates a named key for its owner, who may be named as well', async () => {
      const { id: api_key_id } = await gateway.apiKey();
      const { id: user_id } = gateway.caller;
      const fields = { subject: 'user', value: user_id, reason: 'Enough.' };
      await gateway.manage('POST', '/gateway/blocks', fields);
      for (const question of [{ api_key_id }, { api_key_id, user_id }]) {
        expect((await check(question, gateway.adminToken)).body.code).to.equal('blocked');
      }
    });

    describe('for a key answers what a call with it would', () => {
      const judged = async (restrictions: object, question: object = gateway.target) => {
        const { id: api_key_id } = await gateway.apiKey(restrictions);
        return (await check({ api_key_id, ...question }, gateway.adminToken)).body;
      };

      it('within its algorithms', async () => {
        const { algorithm_id } = gateway.target;
        const other = await gateway.addAlgorithm();
        expect((await judged({ algorithms: [algorithm_id] })).code).to.equal(null);
        const { code, reason } = await judged({ algorithms: [algorithm_id] }, other);
        expect(code).to.equal('algorithm_not_covered');
        expect(reason).to.include('"echo"');
        const { version_id } = other;
        expect((await judged({ algorithms: [algorithm_id] }, { version_id })).code).to.equal(code);
      });

      it('within its networks', async () => {
        const networks = ['192.0.2.0/24'];
        const from = (address: string) => judged({ networks }, { ...gateway.target, address });
        expect((await from('192.0.2.7')).code).to.equal(null);
        const refused = await from('198.51.100.7');
        expect(refused).to.include({ allowed: false, code: 'api_key_elsewhere', rule: null });
        expect(refused.reason).to.include('198.51.100.7');
        expect((await judged({ networks })).code, 'from here').to.equal('api_key_elsewhere');
      });

      it('within its scopes', async () => {
        expect((await judged({ scopes: ['read', 'call'] })).code).to.equal(null);
        expect((await judged({ scopes: ['read'] })).code).to.equal('insufficient_scope');
      });

      it('that has ended', async () => {
        const { id: api_key_id } = await gateway.apiKey();
        await gateway.request('DELETE', `/api-keys/${api_key_id}`, { token: gateway.caller.token });
        const { body } = await check({ api_key_id }, gateway.adminToken);
        expect(body).to.include({ allowed: false, code: 'invalid_credentials' });
      });
    });

    it('tells one who asks with a restricted key nothing beyond it', async () => {
      const { algorithm_id } = gateway.target;
      const other = await gateway.addAlgorithm();
      const restricted = { name: 'k', expires_at: '2099-01-01T00:00:00Z', algorithms: [algorithm_id] };
      const { key } = await gateway.manage('POST', '/api-keys', restricted);
      const { id: api_key_id } = await gateway.apiKey({ algorithms: [other.algorithm_id] });
      for (const question of [gateway.target, other]) {
        const { body } = await gateway.request('POST', '/gateway/check', {
          headers: { 'x-api-key': key },
          body: { api_key_id, ...question },
        });
        expect(body.code).to.equal('algorithm_not_covered');
      }
    });

    describe('answers what the call would', () => {
      const inactive = async () => {
        const target = await gateway.addAlgorithm();
        await gateway.manage('PUT', `/algorithms/${target.algorithm_id}`, { status: 'inactive' });
        return target;
      };
      const targets: readonly [string, () => Promise<object>][] = [
        ['of an algorithm that does not exist', async () => ({ algorithm_id: UNKNOWN, version_id: UNKNOWN })],
        ['of a version that does not exist', async () => ({ ...gateway.target, version_id: UNKNOWN })],
        ['of what is no identifier', async () => ({ algorithm_id: 'foo', version_id: 'default' })],
        ['of an inactive algorithm', inactive],
        ['for want of a grant', () => gateway.addAlgorithm({ access: 'restricted' })],
      ];
      for (const [what, target] of targets) {
        it(what, async () => {
          const question = await target();
          const refused = await gateway.call(question);
          const { status, body } = await check(question);
          expect([status, refused.status]).to.satisfy(
            ([one, other]: number[]) => one === 200 && other! > 400,
          );
          expect(body).to.deep.include({
            allowed: false,
            code: refused.body.code,
            reason: refused.body.detail,
            rule: null,
            clears_at: null,
          });
        });
      }

      it('when only the algorithm is named', async () => {
        const { algorithm_id } = await gateway.addAlgorithm({ access: 'restricted' });
        expect((await check({ algorithm_id })).body.code).to.equal('forbidden');
        expect((await check({ algorithm_id: gateway.target.algorithm_id })).body.allowed).to.equal(true);
      });

      it('when only the version is named', async () => {
        const { version_id } = await gateway.addAlgorithm({ access: 'restricted' });
        expect((await check({ version_id })).body.code).to.equal('forbidden');
        expect((await check({ version_id: UNKNOWN })).body.code).to.equal('version_not_found');
        expect((await check({ version_id: gateway.target.version_id })).body.allowed).to.equal(true);
      });

      it('when only the version of a blocked algorithm is named', async () => {
        const { algorithm_id, version_id } = gateway.target;
        const fields = { subject: 'algorithm', value: algorithm_id, reason: 'Broken.' };
        await gateway.manage('POST', '/gateway/blocks', fields);
        expect((await check({ version_id })).body.code).to.equal('blocked');
      });

      it('for another user, whose rights count and not those of the administrator', async () => {
        const restricted = await gateway.addAlgorithm({ access: 'restricted' });
        const { id: user_id } = gateway.caller;
        expect((await check(restricted, gateway.adminToken)).body.code).to.equal(null);
        expect((await check({ ...restricted, user_id }, gateway.adminToken)).body.code).to.equal('forbidden');
      });

      it('without the limits of an algorithm that does not exist for the caller', async () => {
        await gateway.manage('POST', '/gateway/policies', { name: 'each', subject: 'algorithm', limit: 5 });
        const names = async (question: object) =>
          (await check(question)).body.limits.map(({ name }: { name: string }) => name);
        expect(await names({ algorithm_id: UNKNOWN })).to.deep.equal(['user']);
        expect(await names(gateway.target)).to.deep.equal(['user', 'algorithm']);
      });
    });

    const nobody: readonly [string, object, string][] = [
      ['a user who does not exist', { user_id: UNKNOWN }, '/body/user_id'],
      ['what is no identifier', { user_id: 'foo' }, '/body/user_id'],
      ['a key that does not exist', { api_key_id: UNKNOWN }, '/body/api_key_id'],
      ['an empty key', { api_key_id: '' }, '/body/api_key_id'],
      ['a network', { address: '192.0.2.0/24' }, '/body/address'],
      ['what is no address', { address: 'foo' }, '/body/address'],
    ];
    for (const [title, question, pointer] of nobody) {
      it(`refuses to judge ${title}`, async () => {
        const { status, body } = await check(question, gateway.adminToken);
        expect([status, body.errors?.[0].pointer]).to.deep.equal([422, pointer]);
        expect(body.errors[0].message).to.match(/[^.]\.$/);
      });
    }

    it('refuses a key with another user than its owner', async () => {
      const { id: api_key_id } = await gateway.apiKey();
      const other = await gateway.user(`no-owner-${++others}`);
      const { status, body } = await check({ api_key_id, user_id: other.id }, gateway.adminToken);
      expect([status, body.errors?.[0].pointer]).to.deep.equal([422, '/body/user_id']);
    });

    it('refuses other callers for users', async () => {
      const { status, body } = await check({ address: '192.0.2.7' });
      expect([status, body.code]).to.deep.equal([403, 'forbidden']);
    });
  });
});
