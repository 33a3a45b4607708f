import { expect } from 'chai';
import { DATABASE, newId } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { startGateway, type GatewayUnderTest } from './support.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

onEveryEngine((engine) => {
  describe('managing the rules of the gateway', () => {
    let gateway: GatewayUnderTest;
    before(async () => {
      gateway = await startGateway(engine);
    });
    after(() => gateway.stop());

    const send = (method: string, path: string, body?: object, token = gateway.adminToken) =>
      gateway.request(method, path, { token, body });

    it('is for administrators', async () => {
      const operations = [
        'GET /gateway/policies',
        'POST /gateway/policies',
        `PUT /gateway/policies/${UNKNOWN}`,
      ];
      operations.push('GET /gateway/blocks', 'POST /gateway/blocks', `DELETE /gateway/blocks/${UNKNOWN}`);
      const answers = await Promise.all(
        operations.map(async (operation) => {
          const [method, path] = operation.split(' ') as [string, string];
          return (await send(method, path, method === 'GET' ? undefined : {}, gateway.caller.token)).status;
        }),
      );
      expect(answers).to.deep.equal([403, 403, 403, 403, 403, 403]);
    });

    /** Changes a rule twice at once, ten times; returns how often one of the changes was lost. */
    const lostAmong = async (
      path: string,
      one: (n: number) => object,
      other: (n: number) => object,
    ): Promise<number> => {
      let lost = 0;
      for (let n = 1; n <= 10; n += 1) {
        const wanted = { ...one(n), ...other(n) };
        await Promise.all([one(n), other(n)].map((change) => gateway.manage('PUT', path, change)));
        const now = await gateway.manage('GET', path);
        if (Object.entries(wanted).some(([field, value]) => now[field] !== value)) lost += 1;
      }
      return lost;
    };

    /** Deletes a rule twice at once, and returns the statuses. */
    const deletedTwice = async (path: string): Promise<readonly number[]> => {
      const answers = await Promise.all([send('DELETE', path), send('DELETE', path)]);
      return answers.map(({ status }) => status).toSorted((one, other) => one - other);
    };

    describe('policies', () => {
      afterEach(async () => {
        const { policies } = await gateway.manage('GET', '/gateway/policies');
        for (const { id } of policies) await gateway.manage('DELETE', `/gateway/policies/${id}`);
      });

      it('are created with the window of the settings', async () => {
        const policy = await gateway.manage('POST', '/gateway/policies', {
          name: 'all users',
          subject: 'user',
          limit: 10,
        });
        expect(policy).to.include({
          name: 'all users',
          subject: 'user',
          subject_id: null,
          limit: 10,
          window_s: 60,
          concurrency: null,
          enabled: true,
        });
        expect(await gateway.manage('GET', `/gateway/policies/${policy.id}`)).to.deep.equal(policy);
      });

      it('may be sent back as they were read', async () => {
        const policy = await gateway.manage('POST', '/gateway/policies', {
          name: 'all',
          subject: 'user',
          limit: 1,
        });
        const same = await gateway.manage('PUT', `/gateway/policies/${policy.id}`, policy);
        expect(same).to.deep.equal(policy);
      });

      it('take null for what is not given, and as a value where there is one', async () => {
        const fields = {
          name: 'all',
          subject: 'user',
          limit: 1,
          window_s: null,
          enabled: null,
          concurrency: null,
        };
        const policy = await gateway.manage('POST', '/gateway/policies', fields);
        expect(policy).to.include({ window_s: 60, enabled: true, concurrency: null });
        const path = `/gateway/policies/${policy.id}`;
        expect(await gateway.manage('PUT', path, { name: null, window_s: null })).to.deep.equal(policy);
        expect((await send('PUT', path, { limit: null })).status).to.equal(422);
      });

      it('cannot get another id or age', async () => {
        const fields = { name: 'all', subject: 'user', limit: 1 };
        const policy = await gateway.manage('POST', '/gateway/policies', fields);
        const path = `/gateway/policies/${policy.id}`;
        for (const fixed of [{ id: UNKNOWN }, { created_at: '2000-01-01T00:00:00.000Z' }]) {
          expect((await send('PUT', path, { limit: 2, ...fixed })).status).to.equal(422);
        }
        expect(await gateway.manage('GET', path)).to.deep.equal(policy);
      });

      it('that two clients change at once have both changes', async () => {
        const fields = { name: 'all', subject: 'user', limit: 1 };
        const { id } = await gateway.manage('POST', '/gateway/policies', fields);
        const path = `/gateway/policies/${id}`;
        const lost = await lostAmong(
          path,
          (n) => ({ limit: n + 1 }),
          (n) => ({ enabled: n % 2 === 0 }),
        );
        expect(lost).to.equal(0);
      });

      it('that two clients delete at once are deleted by one of them', async () => {
        for (let n = 0; n < 5; n += 1) {
          const fields = { name: 'all', subject: 'user', limit: 1 };
          const { id } = await gateway.manage('POST', '/gateway/policies', fields);
          expect(await deletedTwice(`/gateway/policies/${id}`)).to.deep.equal([200, 404]);
        }
      });

      it('are listed newest first, in pages', async () => {
        for (const subject of ['user', 'api_key', 'algorithm']) {
          await gateway.manage('POST', '/gateway/policies', { name: subject, subject, limit: 1 });
        }
        const page = await gateway.manage('GET', '/gateway/policies?skip=1&limit=1');
        expect(page.total).to.equal(3);
        expect(page.policies.map(({ name }: { name: string }) => name)).to.deep.equal(['api_key']);
      });

      it('may be changed after their subject was deleted, but not be moved to it', async () => {
        const { algorithm_id } = await gateway.addAlgorithm();
        const fields = { name: 'x', subject: 'algorithm', limit: 1 };
        const policy = await gateway.manage('POST', '/gateway/policies', {
          ...fields,
          subject_id: algorithm_id,
        });
        const other = await gateway.manage('POST', '/gateway/policies', fields);
        await gateway.manage('DELETE', `/algorithms/${algorithm_id}`);
        const changed = await gateway.manage('PUT', `/gateway/policies/${policy.id}`, {
          ...policy,
          enabled: false,
        });
        expect(changed).to.include({ enabled: false, subject_id: algorithm_id });
        await gateway.manage('DELETE', `/gateway/policies/${policy.id}`);
        const moved = await send('PUT', `/gateway/policies/${other.id}`, { subject_id: algorithm_id });
        expect([moved.status, moved.body.code]).to.deep.equal([404, 'algorithm_not_found']);
      });

      it('exist once for each subject', async () => {
        const fields = { name: 'all', subject: 'user', limit: 1 };
        await gateway.manage('POST', '/gateway/policies', fields);
        const { status, body } = await send('POST', '/gateway/policies', fields);
        expect([status, body.code]).to.deep.equal([409, 'gateway_policy_exists']);
      });

      const refused: readonly [string, object, string][] = [
        ['without a name', { subject: 'user', limit: 1 }, '/body/name'],
        ['with a blank name', { name: '  ', subject: 'user', limit: 1 }, '/body/name'],
        ['for an unknown kind of subject', { name: 'x', subject: 'planet', limit: 1 }, '/body/subject'],
        ['that say nothing', { name: 'x', subject: 'user' }, '/body/limit'],
        ['with a limit of nothing', { name: 'x', subject: 'user', limit: 0 }, '/body/limit'],
        ['with concurrency for users', { name: 'x', subject: 'user', concurrency: 1 }, '/body/concurrency'],
        [
          'for a user who does not exist',
          { name: 'x', subject: 'user', subject_id: UNKNOWN, limit: 1 },
          '/body/subject_id',
        ],
        [
          'for an API key that does not exist',
          { name: 'x', subject: 'api_key', subject_id: UNKNOWN, limit: 1 },
          '/body/subject_id',
        ],
        [
          'for what is no identifier',
          { name: 'x', subject: 'api_key', subject_id: '1', limit: 1 },
          '/body/subject_id',
        ],
      ];
      for (const [title, body, pointer] of refused) {
        it(`${title} are refused`, async () => {
          const answer = await send('POST', '/gateway/policies', body);
          expect([answer.status, answer.body.errors?.[0].pointer]).to.deep.equal([422, pointer]);
          expect(answer.body.errors[0].message).to.match(/[^.]\.$/);
        });
      }

      it('for an algorithm that does not exist are refused', async () => {
        const body = { name: 'x', subject: 'algorithm', subject_id: UNKNOWN, limit: 1 };
        const answer = await send('POST', '/gateway/policies', body);
        expect([answer.status, answer.body.code]).to.deep.equal([404, 'algorithm_not_found']);
      });

      for (const [method, id] of [
        ['GET', UNKNOWN],
        ['PUT', UNKNOWN],
        ['DELETE', UNKNOWN],
        ['GET', 'none'],
      ] as const) {
        it(`that are unknown answer 404 to ${method} ${id}`, async () => {
          const answer = await send(method, `/gateway/policies/${id}`, method === 'PUT' ? {} : undefined);
          expect([answer.status, answer.body.code]).to.deep.equal([404, 'gateway_policy_not_found']);
        });
      }
    });

    describe('block rules', () => {
      const block = { subject: 'network', value: '192.0.2.0/24', reason: 'Scans.' };

      it('are created, read, changed and deleted', async () => {
        const created = await gateway.manage('POST', '/gateway/blocks', block);
        expect(created).to.include({ ...block, until: null, active: true });
        const path = `/gateway/blocks/${created.id}`;
        const changed = await gateway.manage('PUT', path, { reason: 'Scans again.' });
        expect(changed).to.include({ ...block, reason: 'Scans again.' });
        expect(await gateway.manage('GET', path)).to.deep.equal(changed);
        expect(await gateway.manage('DELETE', path)).to.deep.equal({ message: 'The block was lifted.' });
        expect((await send('GET', path)).body.code).to.equal('gateway_block_not_found');
      });

      it('may be sent back as they were read, and cannot get another author, age or id', async () => {
        const created = await gateway.manage('POST', '/gateway/blocks', block);
        const path = `/gateway/blocks/${created.id}`;
        expect(await gateway.manage('PUT', path, created)).to.deep.equal(created);
        for (const fixed of [
          { id: UNKNOWN },
          { created_by: UNKNOWN },
          { created_at: '2000-01-01T00:00:00.000Z' },
          { active: false },
        ]) {
          const { status, body } = await send('PUT', path, { reason: 'Other.', ...fixed });
          expect([status, body.errors[0].pointer]).to.deep.equal([422, `/body/${Object.keys(fixed)[0]}`]);
        }
        expect(await gateway.manage('GET', path)).to.deep.equal(created);
        await gateway.manage('DELETE', path);
      });

      it('that two clients change at once have both changes', async () => {
        const { id } = await gateway.manage('POST', '/gateway/blocks', block);
        const lost = await lostAmong(
          `/gateway/blocks/${id}`,
          (n) => ({ reason: `Scan ${n}.` }),
          (n) => ({ until: `2099-01-0${(n % 9) + 1}T00:00:00.000Z` }),
        );
        expect(lost).to.equal(0);
      });

      it('that two clients delete at once are deleted by one of them', async () => {
        for (let n = 0; n < 5; n += 1) {
          const { id } = await gateway.manage('POST', '/gateway/blocks', block);
          expect(await deletedTwice(`/gateway/blocks/${id}`)).to.deep.equal([200, 404]);
        }
      });

      it('may be changed after their subject was deleted', async () => {
        const { algorithm_id } = await gateway.addAlgorithm();
        const fields = { subject: 'algorithm', value: algorithm_id, reason: 'Broken.' };
        const created = await gateway.manage('POST', '/gateway/blocks', fields);
        await gateway.manage('DELETE', `/algorithms/${algorithm_id}`);
        const path = `/gateway/blocks/${created.id}`;
        const changed = await gateway.manage('PUT', path, { until: '2001-01-01T00:00:00Z' });
        expect(changed.active).to.equal(false);
      });

      const addRows = async (count: number, until: string | null): Promise<readonly string[]> => {
        const now = new Date().toISOString();
        const common = { ...block, until, created_by: 'test', created_at: now, updated_at: now };
        const rows = Array.from({ length: count }, () => ({ id: newId(), ...common }));
        await gateway.get(DATABASE).knex.batchInsert('gateway_blocks', rows, 100);
        return rows.map(({ id }) => id);
      };
      const removeAll = () => gateway.get(DATABASE).knex('gateway_blocks').delete();

      it('are listed by whether they hold', async () => {
        await removeAll();
        const [ended] = await addRows(1, '2001-01-01T00:00:00.000Z');
        const [endless] = await addRows(1, null);
        const [later] = await addRows(1, '2099-01-01T00:00:00.000Z');
        const ids = async (query: string): Promise<readonly string[]> => {
          const { blocks, total } = await gateway.manage('GET', `/gateway/blocks${query}`);
          expect(total).to.equal(blocks.length);
          return blocks.map(({ id }: { id: string }) => id);
        };
        expect(await ids('')).to.deep.equal([later, endless, ended]);
        expect(await ids('?active=true')).to.deep.equal([later, endless]);
        expect(await ids('?active=false')).to.deep.equal([ended]);
        expect((await send('GET', '/gateway/blocks?active=maybe')).status).to.equal(422);
      });

      it('are limited in number while they are active, not after they ended', async () => {
        await removeAll();
        const [one] = await addRows(10_000, '2001-01-01T00:00:00.000Z');
        const created = await send('POST', '/gateway/blocks', block);
        await addRows(9_999, '2099-01-01T00:00:00.000Z');
        const refused = [
          await send('POST', '/gateway/blocks', block),
          await send('PUT', `/gateway/blocks/${one}`, { until: null }),
        ];
        await removeAll();
        expect(created.status).to.equal(200);
        for (const { status, body } of refused) {
          expect([status, body.code]).to.deep.equal([409, 'gateway_too_many_rules']);
        }
      });

      it('keep the end in UTC', async () => {
        const until = '2099-01-01T02:00:00+02:00';
        const created = await gateway.manage('POST', '/gateway/blocks', { ...block, until });
        expect(created.until).to.equal('2099-01-01T00:00:00.000Z');
      });

      const refused: readonly [string, object, string][] = [
        ['of what is no network', { ...block, value: '192.0.2.0/33' }, '/body/value'],
        ['of a key that does not exist', { ...block, subject: 'api_key', value: UNKNOWN }, '/body/value'],
        ['of a user who does not exist', { ...block, subject: 'user', value: UNKNOWN }, '/body/value'],
        ['of a name', { ...block, value: 'localhost' }, '/body/value'],
        ['without a reason', { ...block, reason: '' }, '/body/reason'],
        ['with a blank reason', { ...block, reason: ' \t' }, '/body/reason'],
        ['that are over', { ...block, until: '2001-01-01T00:00:00Z' }, '/body/until'],
        ['until a leap second', { ...block, until: '2099-12-31T23:59:60Z' }, '/body/until'],
        ['until beyond the calendar', { ...block, until: '9999-12-31T23:59:59-23:00' }, '/body/until'],
      ];
      for (const [title, body, pointer] of refused) {
        it(`${title} are refused`, async () => {
          const answer = await send('POST', '/gateway/blocks', body);
          expect([answer.status, answer.body.errors?.[0].pointer]).to.deep.equal([422, pointer]);
          expect(answer.body.errors[0].message).to.match(/[^.]\.$/);
        });
      }
    });
  });
});
