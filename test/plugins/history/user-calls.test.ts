import { expect } from 'chai';
import { newId } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import { recordAt, store } from '../invocation/support/records.ts';
import { startStage, type Stage } from '../invocation/support/stage.ts';

describe('The history of a caller', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let idOfAlice: string;
    const [echo, other] = [newId(), newId()];
    before(async () => {
      stage = await startStage(engine);
      idOfAlice = (await stage.request('GET', '/users/me', { token: stage.alice })).body.id;
      const mine = { user_id: idOfAlice, algorithm_id: echo };
      await store(stage, [
        recordAt('2026-01-30T23:59:59.999Z', mine),
        recordAt('2026-01-31T00:00:00.000Z', { ...mine, status: 'failed', output_data: null }),
        recordAt('2026-01-31T23:59:59.999Z', { ...mine, algorithm_id: other }),
        recordAt('2026-02-01T00:00:00.000Z', mine),
        recordAt('2026-02-01T12:00:00.000Z', { ...mine, user_id: newId() }),
      ]);
    });
    after(() => stage.stop());

    const history = (query = '', token = stage.alice) =>
      stage.request('GET', `/history/user-calls${query}`, { token });
    const times = async (query: string): Promise<string[]> =>
      (await history(query)).body.history.map((call: { created_at: string }) => call.created_at.slice(0, 16));

    it('needs credentials', async () => {
      expect((await stage.request('GET', '/history/user-calls')).status).to.equal(401);
    });

    it('has their calls, newest first, and nobody else’s', async () => {
      const { status, body } = await history();
      expect(status).to.equal(200);
      expect(body.history.map(({ user_id }: { user_id: string }) => user_id)).to.deep.equal(
        Array(4).fill(idOfAlice),
      );
      expect(await times('')).to.deep.equal([
        '2026-02-01T00:00',
        '2026-01-31T23:59',
        '2026-01-31T00:00',
        '2026-01-30T23:59',
      ]);
    });

    it('says how much it shows, and how much there is', async () => {
      const { body } = await history('?limit=3');
      expect(body).to.include({ count: 3, skip: 0, limit: 3, total: 4 });
    });

    it('shows a hundred when nothing else is asked', async () => {
      const { body } = await history();
      expect(body).to.include({ skip: 0, limit: 100, next_cursor: null });
    });

    it('shows entries as calls are answered', async () => {
      const { body: called } = await stage.call(await stage.play(), { input_data: { a: 'ü' } });
      const { body } = await history('?limit=1');
      expect(body.history).to.deep.equal([called]);
    });

    it('is empty for whom there is nothing', async () => {
      const { body } = await history('', await stage.signUp('newcomer'));
      expect(body).to.deep.equal({ history: [], count: 0, skip: 0, limit: 100, total: 0, next_cursor: null });
    });

    it('filters by algorithm', async () => {
      expect(await times(`?algorithm_id=${other}`)).to.deep.equal(['2026-01-31T23:59']);
    });

    it('filters by status', async () => {
      expect(await times('?status=failed')).to.deep.equal(['2026-01-31T00:00']);
    });

    for (const query of [
      `?algorithm_id=${newId()}`,
      '?algorithm_id=nonsense',
      '?status=unheard-of',
      '?end_date=1999-01-01',
    ]) {
      it(`matches nothing with ${query}`, async () => {
        const { status, body } = await history(query);
        expect([status, body.count, body.total]).to.deep.equal([200, 0, 0]);
      });
    }

    it('takes dates as whole days, the last one included', async () => {
      expect(await times('?start_date=2026-01-31&end_date=2026-01-31')).to.deep.equal([
        '2026-01-31T23:59',
        '2026-01-31T00:00',
      ]);
    });

    it('takes an end alone', async () => {
      expect(await times('?end_date=2026-01-30')).to.deep.equal(['2026-01-30T23:59']);
    });

    it('takes a start alone', async () => {
      const body = (await history(`?start_date=2026-02-01&algorithm_id=${echo}`)).body;
      expect([body.count, body.total]).to.deep.equal([1, 1]);
    });

    it('takes moments with an offset', async () => {
      const query = `?start_date=${encodeURIComponent('2026-01-31T02:00:00+02:00')}&end_date=2026-01-31T00:00:00Z`;
      expect(await times(query)).to.deep.equal(['2026-01-31T00:00']);
    });

    it('is empty between an end and a later start', async () => {
      const { body } = await history('?start_date=2026-02-01&end_date=2026-01-30');
      expect([body.count, body.total]).to.deep.equal([0, 0]);
    });

    it('combines every filter', async () => {
      const query = `?algorithm_id=${echo}&status=failed&start_date=2026-01-31&end_date=2026-01-31&skip=0&limit=1`;
      expect(await times(query)).to.deep.equal(['2026-01-31T00:00']);
    });

    it('pages by skip and limit', async () => {
      expect(await times('?end_date=2026-02-01&skip=1&limit=2')).to.deep.equal([
        '2026-01-31T23:59',
        '2026-01-31T00:00',
      ]);
    });

    it('pages by cursor to the end, every entry once', async () => {
      const seen: string[] = [];
      let query = '?end_date=2026-02-01&limit=3';
      for (let page = 0; page < 5; page += 1) {
        const { body } = await history(query);
        seen.push(...body.history.map(({ created_at }: { created_at: string }) => created_at));
        if (body.next_cursor === null) break;
        query = `?end_date=2026-02-01&limit=3&cursor=${body.next_cursor}`;
      }
      expect(seen).to.have.length(4);
      expect(seen).to.deep.equal([...seen].sort().reverse());
    });

    it('links to the page that its cursor leads to', async () => {
      const { body, headers } = await history('?end_date=2026-02-01&limit=3');
      const next = /limit=3>; rel="next"/;
      expect(headers['link']).to.match(next).and.include(`cursor=${body.next_cursor}&`);
    });

    it('has no further page after one that is just full', async () => {
      const { body } = await history('?end_date=2026-02-01&limit=4');
      expect([body.count, body.next_cursor]).to.deep.equal([4, null]);
    });

    it('is whole however large the records, with a place to go on from', async () => {
      const dora = await stage.signUp('dora');
      const user_id = (await stage.request('GET', '/users/me', { token: dora })).body.id;
      const large = `{"text":"${'x'.repeat(7_000_000)}"}`;
      for (const day of [1, 2, 3, 4]) {
        await store(stage, [recordAt(`2026-03-0${day}T00:00:00.000Z`, { user_id, input_data: large })]);
      }
      const { body } = await history('?limit=3', dora);
      expect(body.history.map((call: { created_at: string }) => call.created_at.slice(0, 10))).to.deep.equal([
        '2026-03-04',
        '2026-03-03',
        '2026-03-02',
      ]);
      expect(body).to.include({ count: 3, limit: 3, total: 4 });
      const next = await history(`?limit=3&cursor=${body.next_cursor}`, dora);
      expect([next.body.count, next.body.next_cursor]).to.deep.equal([1, null]);
    });

    for (const [query, pointer] of [
      ['?limit=0', '/query/limit'],
      ['?limit=1001', '/query/limit'],
      ['?limit=ten', '/query/limit'],
      ['?skip=-1', '/query/skip'],
      ['?start_date=2026-02-30', '/query/start_date'],
      ['?end_date=tomorrow', '/query/end_date'],
      ['?cursor=nonsense', '/query/cursor'],
      [`?cursor=${newId()}`, '/query/cursor'],
    ] as const) {
      it(`refuses ${query}`, async () => {
        const { status, body } = await history(query);
        expect([status, body.errors?.[0]?.pointer]).to.deep.equal([422, pointer]);
      });
    }
  });
});
