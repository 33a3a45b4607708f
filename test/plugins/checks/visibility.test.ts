import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { openStandIn, RIGHT, WRONG, type Checked, type StandIn } from './support/stand-in.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';

describe('The state of a version', () => {
  onEveryEngine((engine) => {
    let standIn: StandIn;
    let of: Checked;
    const badge = (version = of.version_id, headers: Record<string, string> = {}) =>
      fetch(`${standIn.baseUrl}/algorithms/${of.algorithm_id}/versions/${version}/badge.svg`, { headers });

    before(async () => {
      standIn = await openStandIn(engine);
    });
    after(() => standIn.stop());
    beforeEach(() => standIn.answers(RIGHT));

    describe('as a badge', () => {
      before(async () => {
        standIn.answers(RIGHT);
        of = await standIn.checked();
      });

      it('follows the endpoint', async () => {
        expect(await (await badge()).text()).to.include('<title id="title">examples: unchecked</title>');
        for (const [answer, state] of [
          [RIGHT, 'working'],
          [WRONG, 'broken'],
          [RIGHT, 'working'],
        ] as const) {
          standIn.answers(answer);
          await standIn.hoursLater();
          const { since } = await standIn.stateOf(of);
          const title = `<title id="title">examples: ${state} since ${since.slice(0, 10)}</title>`;
          expect(await (await badge()).text()).to.include(title);
          expect(await (await badge('default')).text()).to.include(title);
        }
      });

      it('is a picture without a script, and is not sent again while nothing changes', async () => {
        const first = await badge();
        expect(first.headers.get('content-type')).to.equal('image/svg+xml');
        expect(first.headers.get('cache-control')).to.equal('no-cache');
        expect(await first.text()).to.match(/^<svg [^>]*role="img"[^>]*>(?!.*<script)/);
        const etag = first.headers.get('etag')!;
        expect((await badge(of.version_id, { 'If-None-Match': etag })).status).to.equal(304);
        standIn.answers(WRONG);
        await standIn.hoursLater();
        expect((await badge(of.version_id, { 'If-None-Match': etag })).status).to.equal(200);
      });

      it('is unknown for an unknown version', async () => {
        expect((await badge(UNKNOWN)).status).to.equal(404);
      });
    });

    describe('of a private algorithm', () => {
      before(async () => {
        of = await standIn.checked({}, { algorithm: { access: 'private' } });
        await standIn.hoursLater();
      });

      it('is known after a check to those who see it, and to nobody else', async () => {
        expect((await standIn.stateOf(of)).state).to.equal('working');
        const other = await standIn.signUp(`user-${engine}`);
        for (const token of [undefined, other])
          for (const what of ['check', 'badge.svg']) {
            const { status, body } = await standIn.request(
              'GET',
              `${of.path}/${what}`,
              token ? { token } : {},
            );
            expect([status, body.code]).to.deep.equal([404, 'algorithm_not_found']);
          }
      });
    });

    it('is for everyone, and the results are for those who manage the algorithm', async () => {
      of = await standIn.checked();
      const user = await standIn.signUp(`reader-${engine}`);
      expect((await standIn.send('GET', `${of.path}/check`, undefined, user)).status).to.equal(200);
      for (const method of ['GET', 'POST']) {
        const { status, body } = await standIn.send(method, `${of.path}/checks`, undefined, user);
        expect([status, body.code]).to.deep.equal([403, 'forbidden']);
      }
      const { id: user_id } = (await standIn.send('GET', '/users/me', undefined, user)).body;
      const grant = { algorithm_id: of.algorithm_id, user_id, permission_type: 'manage' };
      await standIn.ask('POST', '/permissions/grants', grant);
      for (const method of ['POST', 'GET'])
        expect((await standIn.send(method, `${of.path}/checks`, undefined, user)).status).to.equal(200);
    });

    it('selects algorithms in lists, and is counted there whatever is selected', async () => {
      const type = `facet-${engine}`;
      const made = async (name: string, example?: object | null) =>
        await standIn.checked(example, { algorithm: { name, type } });
      const working = await made('working');
      await made('broken', { output_data: { value: 7 } });
      await made('unchecked', null);
      await standIn.ask('POST', '/algorithms', { name: 'empty', description: '', type });
      await standIn.hoursLater();
      const list = async (query: string, sort = 'name') => {
        const { body } = await standIn.request(
          'GET',
          `/algorithms?type=${type}&sort=${sort}&facets=true${query}`,
        );
        return [body.algorithms.map(({ name }: any) => name).join(' '), body.total, body.facets.checks];
      };
      const checks = [
        { name: 'working', count: 1 },
        { name: 'broken', count: 1 },
        { name: 'unchecked', count: 2 },
      ];
      expect(await list('')).to.deep.equal(['broken empty unchecked working', 4, checks]);
      expect(await list('&check=working')).to.deep.equal(['working', 1, checks]);
      expect(await list('&check=unchecked')).to.deep.equal(['empty unchecked', 2, checks]);
      expect(await list('&check=broken&check=unchecked')).to.deep.equal([
        'broken empty unchecked',
        3,
        checks,
      ]);
      expect((await list('&check=working', '-calls'))[1]).to.equal(1);
      expect((await standIn.request('GET', '/algorithms?check=sick')).status).to.equal(422);
      standIn.answers(WRONG);
      await standIn.ask('POST', `${working.path}/checks`);
      expect((await list('&check=working'))[1]).to.equal(0);
      const { body } = await standIn.request('GET', `/algorithms?type=${type}&facets=true&check=broken`);
      expect(body.facets.types).to.deep.equal([{ name: type, count: 2 }]);
    });
  });
});
