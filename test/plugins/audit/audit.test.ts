import { expect } from 'chai';
import { AUDIT, DATABASE, DAY_MS, type Audit, type Author } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { manualClock } from '../users/manual-clock.ts';
import { openShowcase, PLUGINS, type Showcase } from '../catalogue/support/showcase.ts';

const BY: Author = { kind: 'plugin', name: 'tests' };

describe('The audit trail', () => {
  onEveryEngine((engine) => {
    const clock = manualClock();
    let showcase: Showcase;
    let audit: Audit;
    /** A key of the administrator, which outlives the tokens when the clock is set. */
    let reader: { readonly token: string };
    before(async () => {
      showcase = await openShowcase(engine, { plugins: [...PLUGINS, 'audit'], clock });
      audit = showcase.service.get(AUDIT);
      reader = await showcase.keyOf(showcase.admin);
    });
    after(() => showcase.service.stop());

    const list = async (query = ''): Promise<any> => {
      const { status, body } = await showcase.as(reader, 'GET', `/audit${query}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    const actionsOf = async (query: string): Promise<string[]> =>
      (await list(query)).entries.map(({ action }: { action: string }) => action);

    describe('of a change by a request', () => {
      it('says who did what to what from where, and what changed', async () => {
        const id = await showcase.algorithm();
        clock.advance(1);
        const answer = await showcase.as(showcase.admin, 'PUT', `/algorithms/${id}`, {
          status: 'inactive',
          readme: 'Read me',
        });
        const [entry, created] = (await list(`?target_id=${id}`)).entries;
        const { id: entryId, created_at, credential_id, ...rest } = entry;
        expect(new Date(created_at).getTime()).to.equal(clock.now());
        expect([entryId, credential_id].map((each) => typeof each)).to.deep.equal(['string', 'string']);
        expect(rest).to.deep.equal({
          action: 'algorithm.update',
          outcome: 'success',
          actor_kind: 'user',
          actor_id: showcase.admin.id,
          actor_name: 'admin',
          target_kind: 'algorithm',
          target_id: id,
          target_name: 'Edges',
          before: { status: 'active', readme: '' },
          after: { status: 'inactive', readme: 'Read me' },
          address: '127.0.0.1',
          request_id: answer.headers['x-request-id'],
          count: 1,
        });
        expect(created).to.include({ action: 'algorithm.create', before: null });
        expect(created.after).to.include({ name: 'Edges', status: 'active' });
      });

      it('names the key by which it was sent', async () => {
        clock.advance(1);
        const key = await showcase.keyOf(showcase.admin);
        const { id } = (
          await showcase.as(key, 'POST', '/algorithms', { name: 'K', description: '', type: 'x' })
        ).body;
        const [created] = (await list(`?target_id=${id}`)).entries;
        expect(created).to.include({ actor_kind: 'key', actor_name: 'admin' });
        const [made] = (await list('?action=api_key.create')).entries;
        expect(made.target_id).to.equal(created.credential_id);
        expect(JSON.stringify(made)).not.to.include(key.token);
      });

      it('is not there when the change was refused', async () => {
        const id = await showcase.algorithm();
        clock.advance(1);
        const version = await showcase.version(id);
        const again = await showcase.as(showcase.admin, 'POST', `/algorithms/${id}/versions`, {
          version: version.version,
          url: 'https://models.example.org/other',
        });
        expect(again.status).to.equal(409);
        expect((await list('?action=version.create')).entries[0].target_id).to.equal(version.id);
      });

      it('goes with its transaction', async () => {
        const { knex } = showcase.service.get(DATABASE);
        await knex
          .transaction(async (trx) => {
            await audit.record(trx, BY, { action: 'tests.undone' });
            throw new Error('undo');
          })
          .catch(() => undefined);
        expect(await actionsOf('?action=tests.undone')).to.deep.equal([]);
      });
    });

    describe('shows administrators', () => {
      const at = (time: string) => clock.advance(Date.parse(time) - clock.now());
      const other: Author = {
        kind: 'command',
        name: 'import',
        user_id: '01890a5d-ac96-774b-bcce-b302099a8057',
      };
      before(async () => {
        at('2090-01-01T00:00:00Z');
        await audit.record(undefined, BY, { action: 'tests.one', target: { kind: 'thing', id: '1' } });
        at('2090-01-02T00:00:00Z');
        await audit.record(undefined, other, { action: 'tests.two', target: { kind: 'thing', id: '2' } });
        at('2090-01-03T00:00:00Z');
        await audit.record(undefined, BY, { action: 'tests.three', outcome: 'failure' });
      });

      it('what filters select, together', async () => {
        expect(await actionsOf('?actor=tests')).to.deep.equal(['tests.three', 'tests.one']);
        expect(await actionsOf(`?actor=${other.user_id}`)).to.deep.equal(['tests.two']);
        expect(await actionsOf('?target_kind=thing')).to.deep.equal(['tests.two', 'tests.one']);
        expect(await actionsOf('?target_kind=thing&target_id=1')).to.deep.equal(['tests.one']);
        expect(await actionsOf('?outcome=failure')).to.deep.equal(['tests.three']);
        expect(await actionsOf('?actor=tests&target_id=2')).to.deep.equal([]);
        expect(await actionsOf('?start_date=2090-01-02')).to.deep.equal(['tests.three', 'tests.two']);
        const range = '?start_date=2090-01-01&end_date=2090-01-02T00:00:00Z';
        expect(await actionsOf(range)).to.deep.equal(['tests.two', 'tests.one']);
      });

      it('page after page, by cursor', async () => {
        const first = await list('?start_date=2090-01-01&limit=2');
        expect(first).to.include({ count: 2, total: 3, skip: 0, limit: 2 });
        const rest = await list(`?start_date=2090-01-01&limit=2&cursor=${first.next_cursor}`);
        expect(rest.entries.map(({ action }: any) => action)).to.deep.equal(['tests.one']);
        expect(rest.next_cursor).to.equal(null);
      });

      it('a file of all that match, as a table or in lines', async () => {
        const table = await showcase.as(reader, 'GET', '/audit/export?start_date=2090-01-02');
        expect(table.headers['content-disposition']).to.equal('attachment; filename="audit.csv"');
        const [head, ...rows] = String(table.body).trim().split('\r\n');
        expect(head).to.match(/^\uFEFF?id,created_at,action,outcome,actor_kind,/);
        expect(rows.map((row) => row.split(',')[2])).to.deep.equal(['tests.three', 'tests.two']);
        const lines = await fetch(`${showcase.service.baseUrl}/audit/export?format=ndjson&actor=tests`, {
          headers: { Authorization: `Bearer ${reader.token}` },
        });
        const records = (await lines.text())
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        expect(records).to.deep.equal((await list('?actor=tests')).entries);
      });

      it('what is wrong with a date or a cursor', async () => {
        for (const [query, pointer] of [
          ['/audit?start_date=soon', '/query/start_date'],
          ['/audit/export?end_date=soon', '/query/end_date'],
          ['/audit?cursor=bogus', '/query/cursor'],
        ]) {
          const { status, body } = await showcase.as(reader, 'GET', query!);
          expect([status, body.errors[0].pointer]).to.deep.equal([422, pointer]);
        }
      });

      it('and nobody else', async () => {
        const user = await showcase.service.user('user');
        for (const path of ['/audit', '/audit/export']) {
          expect((await showcase.as(user, 'GET', path)).status).to.equal(403);
          expect((await showcase.as(undefined, 'GET', path)).status).to.equal(401);
        }
      });
    });

    describe('is bounded', () => {
      it('cuts long texts and large states', async () => {
        const after = {
          short: 'a',
          long: 'b'.repeat(5_000),
          large: Array.from({ length: 9_000 }, () => 'c'),
        };
        await audit.record(undefined, BY, { action: 'tests.large', after });
        const [entry] = (await list('?action=tests.large')).entries;
        expect(entry.after.short).to.equal('a');
        expect(entry.after.long).to.equal(`${'b'.repeat(1_000)}… (5000 characters)`);
        expect(entry.after.large).to.match(/^… \(\d+ characters\)$/);
      });

      it('combines the same failures of a minute, and no others', async () => {
        const fail = (name: string, address: string) =>
          audit.record(
            undefined,
            { kind: 'anonymous', address },
            { action: 'tests.fail', outcome: 'failure', target: { kind: 'account', name } },
          );
        await Promise.all(Array.from({ length: 20 }, () => fail('alice', '192.0.2.7')));
        await fail('bob', '192.0.2.7');
        await fail('alice', '192.0.2.8');
        clock.advance(60_000);
        await fail('alice', '192.0.2.7');
        const { entries } = await list('?action=tests.fail');
        expect(
          entries.map(({ target_name, address, count }: any) => [target_name, address, count]),
        ).to.deep.equal([
          ['alice', '192.0.2.7', 1],
          ['alice', '192.0.2.8', 1],
          ['bob', '192.0.2.7', 1],
          ['alice', '192.0.2.7', 20],
        ]);
      });

      it('keeps names of any length and with any characters', async () => {
        const name = `a\u0000\ud800${'b'.repeat(500)}`;
        await audit.record(undefined, BY, { action: 'tests.name', target: { kind: 'account', name } });
        expect((await list('?action=tests.name')).entries[0].target_name).to.equal(`a??${'b'.repeat(197)}`);
      });

      it('deletes what is older than its setting', async () => {
        await audit.record(undefined, BY, { action: 'tests.old' });
        clock.advance(364 * DAY_MS);
        await audit.record(undefined, BY, { action: 'tests.new' });
        await showcase.service.runJob('audit:old-entries');
        expect(await actionsOf('?action=tests.old')).to.deep.equal(['tests.old']);
        clock.advance(2 * DAY_MS);
        await showcase.service.runJob('audit:old-entries');
        expect(await actionsOf('')).to.deep.equal(['tests.new']);
      });
    });
  });

  it('records nothing where it is switched off', async () => {
    const showcase = await openShowcase('sqlite', { plugins: PLUGINS });
    await showcase.algorithm();
    expect((await showcase.as(showcase.admin, 'GET', '/audit')).status).to.equal(404);
    await showcase.service.stop();
  });
});
