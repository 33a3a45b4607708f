import { expect } from 'chai';
import { AUDIT_SINKS, contribute, DATABASE, definePlugin } from '../../../core/index.ts';
import type { AuditEntry } from '../../../core/audit/audit.ts';
import { builtInPlugins, onEveryEngine } from '../../../core/testing.ts';
import { CALL_STATISTICS } from '../../../plugins/invocation/contract.ts';
import { until } from '../../support/until.ts';
import { branching, nested } from '../catalogue/support/bombs.ts';
import { startStage, type Stage } from './support/stage.ts';

type Body = Readonly<Record<string, unknown>>;

const INPUT_SCHEMA = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };

describe('A version that is tried before it is saved', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let managed: { readonly algorithm_id: string; readonly manager: string };
    const recorded: AuditEntry[] = [];
    const witness = definePlugin({
      id: 'witness',
      version: '1.0.0',
      api: '^1.0',
      summary: 'Keeps what is audited',
      contributes: [
        contribute(AUDIT_SINKS, {
          deps: {},
          create: () => ({ record: async (_, entry) => void recorded.push(entry) }),
        }),
      ],
    });
    const respond = async (body: Body, token = stage.admin) =>
      await stage.request('POST', '/algorithms/try', { token, body });
    const trial = async (body: Body, token?: string) => {
      const { status, body: answer } = await respond(body, token);
      expect(status, JSON.stringify(answer)).to.equal(200);
      return answer;
    };
    const asked = (): number => stage.upstream.requests.length;

    before(async () => {
      stage = await startStage(
        engine,
        async ({ path }, response) => {
          if (path === '/refuses') response.statusCode = 400;
          if (path === '/refuses') return { detail: 'No such n.', token: 'abcdefgh' };
          if (path === '/deep') return nested(50, { next: 1 }) as Body;
          return { double: path === '/wrong' ? 'four' : 4 };
        },
        { plugins: [witness, ...(await builtInPlugins(['gateway']))] },
      );
    });
    after(() => stage.stop());

    it('is called with defaults, and counts nowhere', async () => {
      const before = await stage.get(CALL_STATISTICS).totals({});
      const { findings, call } = await trial({
        url: stage.upstream.url,
        params: { digits: { type: 'integer', default: 3 } },
        input_schema: INPUT_SCHEMA,
        call: { input_data: { n: 2 } },
      });
      expect(findings).to.deep.equal([]);
      expect(call).to.deep.include({ status: 'success', output_data: { double: 4 }, output_findings: [] });
      expect(call.response_time).to.be.greaterThan(0);
      expect(stage.upstream.requests.at(-1)!.body).to.deep.equal({
        input_data: { n: 2 },
        params: { digits: 3 },
      });
      expect(await stage.get(CALL_STATISTICS).totals({})).to.deep.equal(before);
      expect((await stage.request('GET', '/history/user-calls', { token: stage.admin })).body.total).to.equal(
        0,
      );
    });

    it('is in the audit trail where it is called', async () => {
      const { url } = stage.upstream;
      await trial({ url });
      recorded.length = 0;
      await trial({ url });
      await trial({ url, call: { input_data: {} } });
      expect(recorded.map(({ action, after }) => ({ action, after }))).to.deep.equal([
        { action: 'version.try', after: { url, status: 'success' } },
      ]);
    });

    it('is in the audit trail also where its answer takes too long to check, which is told as a fault', async () => {
      const url = `${stage.upstream.url}/deep`;
      recorded.length = 0;
      const { call } = await trial({ url, output_schema: branching('anyOf'), call: { input_data: {} } });
      expect(call).to.include({ status: 'failed', error_code: 'output_invalid' });
      expect(call.output_findings[0].message).to.contain('took too long');
      expect(recorded.map(({ action }) => action)).to.deep.equal(['version.try']);
    });

    it('is only checked without a call', async () => {
      const before = asked();
      expect(await trial({ url: stage.upstream.url })).to.deep.equal({ findings: [], call: null });
      expect(asked()).to.equal(before);
    });

    it('shows an answer that its output schema does not allow', async () => {
      const { call } = await trial({
        url: `${stage.upstream.url}/wrong`,
        output_schema: { type: 'object', properties: { double: { type: 'integer' } } },
        call: { input_data: {} },
      });
      expect(call).to.deep.include({
        status: 'failed',
        error_code: 'output_invalid',
        output_data: { double: 'four' },
        output_findings: [{ pointer: '/double', message: 'must be an integer.' }],
      });
    });

    it('shows what an endpoint said that refused, without secrets', async () => {
      const { call } = await trial({ url: `${stage.upstream.url}/refuses`, call: { input_data: {} } });
      expect(call).to.include({ status: 'failed', error_code: 'upstream_rejected', output_data: null });
      expect(call.answered.status).to.equal(400);
      expect(call.answered.text).to.contain('No such n.').and.not.to.contain('abcdefgh');
    });

    it('names all that would keep it from being saved, and calls nothing', async () => {
      const before = asked();
      const { findings, call } = await trial({
        url: 'ftp://models.example.org',
        params: { n: { type: 'integer', default: 'many' } },
        input_schema: { type: 'object', properties: { n: { type: 'whole' } } },
        output_schema: { minimum: 'low' },
        call: { input_data: {} },
      });
      const places = findings.map(({ pointer }: { readonly pointer: string }) => pointer);
      expect(places).to.include.members([
        '/body/url',
        '/body/params/n/default',
        '/body/input_schema/properties/n/type',
        '/body/output_schema/minimum',
      ]);
      expect(call).to.equal(null);
      expect(asked()).to.equal(before);
    });

    it('goes only where the service may send requests', async () => {
      const { findings, call } = await trial({ url: 'http://169.254.169.254/', call: { input_data: {} } });
      expect(findings[0].pointer).to.equal('/body/url');
      expect(call).to.equal(null);
    });

    it('names what it does not accept of the call', async () => {
      const { findings } = await trial({
        url: stage.upstream.url,
        input_schema: INPUT_SCHEMA,
        call: { input_data: {} },
      });
      expect(findings).to.deep.equal([{ pointer: '/body/call/input_data/n', message: 'is required.' }]);
    });

    it('needs a URL to be called', async () => {
      const { findings } = await trial({ call: { input_data: {} } });
      expect(findings).to.deep.equal([{ pointer: '/body/url', message: 'is required.' }]);
    });

    it('is for administrators, and for those who manage its algorithm', async () => {
      const { algorithm_id } = await stage.play();
      const { body: me } = await stage.request('GET', '/users/me', { token: stage.alice });
      const statuses = async () => [
        (await respond({ url: stage.upstream.url }, stage.alice)).status,
        (await respond({ url: stage.upstream.url, algorithm_id }, stage.alice)).status,
      ];
      expect(await statuses()).to.deep.equal([403, 403]);
      await stage.request('POST', '/permissions/grants', {
        token: stage.admin,
        body: { algorithm_id, user_id: me.id, permission_type: 'manage' },
      });
      expect(await statuses()).to.deep.equal([403, 200]);
      managed = { algorithm_id, manager: me.id };
    });

    it('is not called for whom the gateway has blocked', async () => {
      const body = { url: stage.upstream.url, call: { input_data: {} } };
      const { algorithm_id } = managed;
      const { body: rule } = await stage.request('POST', '/gateway/blocks', {
        token: stage.admin,
        body: { subject: 'user', value: managed.manager, reason: 'Too curious.' },
      });
      const before = asked();
      const refused = await respond({ ...body, algorithm_id }, stage.alice);
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'blocked']);
      expect(asked()).to.equal(before);
      await stage.request('DELETE', `/gateway/blocks/${rule.id}`, { token: stage.admin });
      expect((await respond({ ...body, algorithm_id }, stage.alice)).status).to.equal(200);
    });

    it('counts as a refused request of no algorithm where that is not saved either', async () => {
      const { body: me } = await stage.request('GET', '/users/me', { token: stage.admin });
      const { body: rule } = await stage.request('POST', '/gateway/blocks', {
        token: stage.admin,
        body: { subject: 'user', value: me.id, reason: 'Too curious.' },
      });
      const counted = async (): Promise<Record<string, number>> => {
        const table = stage.get(DATABASE).knex('gateway_refusals').where({ bucket: 'day' });
        const rows: { algorithm_id: string; requests: number }[] = await table
          .select('algorithm_id')
          .sum({ requests: 'requests' })
          .groupBy('algorithm_id');
        return Object.fromEntries(rows.map(({ algorithm_id, requests }) => [algorithm_id, requests]));
      };
      const { '': all = 0, ...before } = await counted();
      const refused = await respond({ url: stage.upstream.url, call: { input_data: {} } });
      await stage.request('DELETE', `/gateway/blocks/${rule.id}`, { token: stage.admin });
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'blocked']);
      await until(async () => (await counted())['']! > all);
      expect(await counted()).to.deep.equal({ '': all + 1, ...before });
    });
  });
});
