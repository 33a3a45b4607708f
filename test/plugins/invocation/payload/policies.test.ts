import { expect } from 'chai';
import type { AuditEntry } from '../../../../core/audit/audit.ts';
import { AUDIT_SINKS, contribute, DATABASE, definePlugin } from '../../../../core/index.ts';
import { builtInPlugins, onEveryEngine, type TestResponse } from '../../../../core/testing.ts';
import { startStage, type Stage } from '../support/stage.ts';
import { until } from '../../../support/until.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const store = { mode: 'store', pointers: [] };
const drop = { mode: 'drop', pointers: [] };

describe('The payload policy of an algorithm', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let id: string;
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
    const ask = (method: string, body?: unknown, token = stage.admin, of = id): Promise<TestResponse> =>
      stage.request(method, `/algorithms/${of}/payload-policy`, { token, ...(body ? { body } : {}) });
    const stored = async (): Promise<unknown[]> =>
      stage.get(DATABASE).knex('invocation_payload_policies').where({ algorithm_id: id });

    before(async () => {
      const plugins = [witness, ...(await builtInPlugins(['api-keys']))];
      stage = await startStage(engine, undefined, { plugins });
    });
    after(() => stage.stop());
    beforeEach(async () => {
      id = (await stage.play()).algorithm_id;
      recorded.length = 0;
    });

    it('keeps everything by default', async () => {
      const { status, body } = await ask('GET');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        algorithm_id: id,
        input_data: store,
        params: store,
        output_data: store,
        updated_by: null,
        updated_at: null,
      });
    });

    it('is returned as it was set, with its author and time', async () => {
      const redact = { mode: 'redact', pointers: ['/patient/name', '/visits/*/note', '/a~1b~0c'] };
      const set = await ask('PUT', { input_data: redact, params: { mode: 'hash' }, output_data: drop });
      expect(set.status).to.equal(200);
      const me = (await stage.request('GET', '/users/me', { token: stage.admin })).body.id;
      expect(set.body).to.deep.include({
        algorithm_id: id,
        input_data: redact,
        params: { mode: 'hash', pointers: [] },
        output_data: drop,
        updated_by: me,
      });
      expect(Date.parse(set.body.updated_at)).to.be.closeTo(Date.now(), 10_000);
      expect((await ask('GET')).body).to.deep.equal(set.body);
    });

    it('accepts what was read, and changes nothing by that', async () => {
      const { body } = await ask('PUT', { input_data: { mode: 'redact', pointers: ['/a'] } });
      const again = await ask('PUT', body);
      expect(again.body).to.deep.equal(body);
    });

    it('has no author as long as nothing differs from the default', async () => {
      const byDefault = (await ask('GET')).body;
      for (const body of [{}, { input_data: store }, byDefault]) {
        expect((await ask('PUT', body)).body).to.deep.equal(byDefault);
      }
      expect((await ask('GET')).body).to.deep.equal(byDefault);
      expect([await stored(), recorded]).to.deep.equal([[], []]);
    });

    it('takes null for rules that are not given', async () => {
      const { body } = await ask('PUT', { input_data: { mode: 'drop', pointers: null } });
      expect((await ask('PUT', { input_data: null, params: null })).body).to.deep.equal(body);
    });

    it('cannot be given to another algorithm', async () => {
      const { status, body } = await ask('PUT', { input_data: drop, algorithm_id: UNKNOWN });
      expect([status, body.errors[0].pointer]).to.deep.equal([422, '/body/algorithm_id']);
      expect(await stored()).to.deep.equal([]);
    });

    it('keeps rules that a change leaves out', async () => {
      await ask('PUT', { input_data: drop });
      await ask('PUT', { output_data: { mode: 'hash' } });
      expect((await ask('GET')).body).to.deep.include({
        input_data: drop,
        params: store,
        output_data: { mode: 'hash', pointers: [] },
      });
    });

    it('loses no rule when the first ones are set concurrently', async () => {
      const changes = [{ input_data: drop }, { params: drop }, { output_data: drop }];
      await Promise.all(changes.map((change) => ask('PUT', change)));
      expect((await ask('GET')).body).to.deep.include({ input_data: drop, params: drop, output_data: drop });
    });

    it('is the default again after it was deleted, however often', async () => {
      await ask('PUT', { input_data: drop });
      for (let n = 0; n < 2; n += 1) {
        const { status, body } = await ask('DELETE');
        expect([status, body.message]).to.deep.equal([
          200,
          'Records of the algorithm keep everything from now on.',
        ]);
      }
      expect((await ask('GET')).body).to.deep.include({ input_data: store, updated_by: null });
    });

    it('is deleted with its algorithm', async () => {
      await ask('PUT', { input_data: drop });
      expect(await stored()).to.have.length(1);
      await stage.request('DELETE', `/algorithms/${id}`, { token: stage.admin });
      await until(async () => (await stored()).length === 0, 2_000);
      expect(await stored()).to.have.length(0);
    });

    it('is in the audit trail with its author', async () => {
      const me = (await stage.request('GET', '/users/me', { token: stage.admin })).body.id;
      await ask('PUT', { input_data: drop });
      await ask('DELETE');
      await ask('DELETE');
      const target = { kind: 'payload_policy', id };
      expect(recorded.map(({ action, author }) => [action, author.user_id])).to.deep.equal([
        ['payload_policy.update', me],
        ['payload_policy.delete', me],
      ]);
      for (const entry of recorded) expect(entry).to.deep.include({ target });
    });

    describe('is handled', () => {
      const everyWay = async (token: string, of = id): Promise<number[]> => {
        const answers = [
          await ask('GET', undefined, token, of),
          await ask('PUT', { params: drop }, token, of),
          await ask('DELETE', undefined, token, of),
        ];
        return answers.map(({ status }) => status);
      };
      const keyOf = async (token: string): Promise<string> => {
        const body = { name: 'k', expires_at: '2099-01-01T00:00:00Z' };
        return (await stage.request('POST', '/api-keys', { token, body })).body.key as string;
      };
      const grant = async (kind: string): Promise<void> => {
        const user_id = (await stage.request('GET', '/users/me', { token: stage.alice })).body.id;
        const body = { algorithm_id: id, user_id, permission_type: kind };
        await stage.request('POST', '/permissions/grants', { token: stage.admin, body });
      };

      it('by administrators, by token or key', async () => {
        expect(await everyWay(stage.admin)).to.deep.equal([200, 200, 200]);
        expect(await everyWay(await keyOf(stage.admin))).to.deep.equal([200, 200, 200]);
      });

      it('by those who manage the algorithm, by token or key', async () => {
        await grant('manage');
        expect(await everyWay(stage.alice)).to.deep.equal([200, 200, 200]);
        expect(await everyWay(await keyOf(stage.alice))).to.deep.equal([200, 200, 200]);
      });

      it('not by those who manage another one, or may only execute this one', async () => {
        await grant('manage');
        const other = (await stage.play()).algorithm_id;
        expect(await everyWay(stage.alice, other)).to.deep.equal([403, 403, 403]);
        id = other;
        await grant('execute');
        expect(await everyWay(stage.alice)).to.deep.equal([403, 403, 403]);
        expect(await stored()).to.have.length(0);
      });

      it('not by clients without credentials', async () => {
        const path = `/algorithms/${id}/payload-policy`;
        for (const method of ['GET', 'PUT', 'DELETE']) {
          expect((await stage.request(method, path, method === 'PUT' ? { body: {} } : {})).status).to.equal(
            401,
          );
        }
      });

      it('not for an unknown algorithm, with the answer of the catalogue', async () => {
        for (const of of [UNKNOWN, 'nonsense']) {
          const token = stage.admin;
          const theirs = (await stage.request('DELETE', `/algorithms/${of}`, { token })).body;
          for (const method of ['GET', 'PUT', 'DELETE']) {
            const { status, body } = await ask(
              method,
              method === 'PUT' ? { params: drop } : undefined,
              token,
              of,
            );
            expect(status).to.equal(404);
            const own = { request_id: body.request_id, instance: body.instance };
            expect(body).to.deep.equal({ ...theirs, ...own });
          }
          expect(await everyWay(stage.alice, of)).to.deep.equal([404, 404, 404]);
        }
      });
    });

    describe('refuses', () => {
      const long = `/${'x'.repeat(256)}`;
      for (const [what, body, pointer, description] of [
        ['a mode that is none', { params: { mode: 'shred' } }, '/body/params/mode', '"store"'],
        ['a rule without a mode', { params: {} }, '/body/params/mode', 'is required'],
        ['a rule that is none', { params: 'drop' }, '/body/params', 'an object'],
        ['to redact nothing', { params: { mode: 'redact' } }, '/body/params/pointers', 'mode "drop"'],
        [
          'to redact at no place',
          { params: { mode: 'redact', pointers: [] } },
          '/body/params/pointers',
          'mode "drop"',
        ],
        [
          'pointers with another mode',
          { params: { mode: 'hash', pointers: ['/a'] } },
          '/body/params/pointers',
          '"redact"',
        ],
        [
          'a pointer without its slash',
          { output_data: { mode: 'redact', pointers: ['/a', 'b/c'] } },
          '/body/output_data/pointers/1',
          '"b/c" does not begin with "/". Write "/b/c".',
        ],
        [
          'the whole field',
          { input_data: { mode: 'redact', pointers: [''] } },
          '/body/input_data/pointers/0',
          'mode "drop"',
        ],
        [
          'a stray tilde',
          { input_data: { mode: 'redact', pointers: ['/a~b'] } },
          '/body/input_data/pointers/0',
          '"/a~b" has a "~"',
        ],
        [
          'a pointer that is too long',
          { input_data: { mode: 'redact', pointers: [long] } },
          '/body/input_data/pointers/0',
          '256',
        ],
        [
          'a pointer that is too deep',
          { input_data: { mode: 'redact', pointers: ['/a'.repeat(33)] } },
          '/body/input_data/pointers/0',
          'at most 32',
        ],
        [
          'too many pointers',
          { input_data: { mode: 'redact', pointers: Array(65).fill('/a') } },
          '/body/input_data/pointers',
          '64',
        ],
        [
          'a pointer that is no text',
          { input_data: { mode: 'redact', pointers: [7] } },
          '/body/input_data/pointers/0',
          'a string',
        ],
      ] as const) {
        it(`${what}, and says what to do`, async () => {
          const { status, body: answer } = await ask('PUT', body);
          expect([status, answer.code]).to.deep.equal([422, 'validation_failed']);
          expect(answer.errors[0].pointer).to.equal(pointer);
          expect(answer.errors[0].message).to.include(description);
          expect(await stored()).to.have.length(0);
        });
      }

      it('every bad pointer by name, and changes nothing', async () => {
        await ask('PUT', { input_data: drop });
        const input_data = { mode: 'redact', pointers: ['x', '/fine', '/~'] };
        const { body } = await ask('PUT', { input_data, params: { mode: 'redact', pointers: ['y'] } });
        expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
          '/body/input_data/pointers/0',
          '/body/input_data/pointers/2',
          '/body/params/pointers/0',
        ]);
        expect((await ask('GET')).body).to.deep.include({ input_data: drop, params: store });
      });
    });
  });
});
