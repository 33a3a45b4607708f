import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import type { SignedIn } from '../../support/vitrine.ts';
import { openShowcase, type Showcase } from './support/showcase.ts';

interface Listed {
  readonly id: string;
  readonly name: string;
}

describe('The list of algorithms', () => {
  onEveryEngine((engine) => {
    let showcase: Showcase;
    const ids: string[] = [];
    const list = (query = '') => showcase.as(undefined, 'GET', `/algorithms${query}`);
    const names = async (query: string): Promise<string[]> =>
      (await list(query)).body.algorithms.map(({ name }: Listed) => name);

    before(async () => {
      showcase = await openShowcase(engine);
      for (const [name, type, status, ...tags] of [
        ['alpha', 'nlp', 'active', 'Red', 'blue'],
        ['Beta', 'ml', 'inactive', 'red'],
        ['éclair 100%', 'nlp', 'deprecated'],
        ['gamma', 'ml', 'active', 'red', 'BLUE'],
        ['Delta_one', 'ml', 'active', 'green'],
      ]) {
        ids.push(await showcase.algorithm({ name, type, status, tags, description: `About ${name}` }));
      }
      await showcase.version(ids[0]!);
    });
    after(() => showcase.service.stop());

    it('is open to everybody, newest first, and says how many there are', async () => {
      const { status, body } = await list();
      expect(status).to.equal(200);
      expect(body.algorithms.map(({ id }: Listed) => id)).to.deep.equal(ids.toReversed());
      expect(body.total).to.equal(5);
    });

    it('shows every field of an algorithm, and no versions', async () => {
      const { body } = await list('?skip=4');
      const fields = [
        'id',
        'name',
        'description',
        'type',
        'status',
        'access',
        'tags',
        'created_at',
        'updated_at',
      ];
      expect(body.algorithms[0]).to.have.all.keys([...fields, 'versions']);
      expect(body.algorithms[0].versions).to.deep.equal([]);
    });

    it('is paged, and its total counts all pages', async () => {
      const { body } = await list('?skip=1&limit=2');
      expect(body.algorithms.map(({ id }: Listed) => id)).to.deep.equal([ids[3], ids[2]]);
      expect(body.total).to.equal(5);
    });

    it('is empty beyond its end', async () => {
      expect((await list('?skip=5')).body).to.deep.equal({ algorithms: [], total: 5 });
    });

    for (const [query, expected] of [
      ['?type=nlp', ['éclair 100%', 'alpha']],
      ['?type=&status=&q=&sort=name&limit=1', ['alpha']],
      ['?type=NLP', []],
      ['?status=active', ['Delta_one', 'gamma', 'alpha']],
      ['?status=inactive&status=deprecated', ['éclair 100%', 'Beta']],
      ['?status=active&type=ml', ['Delta_one', 'gamma']],
      ['?type=nlp&type=&type=other', ['éclair 100%', 'alpha']],
      ['?type=nlp&type=ml&limit=2', ['Delta_one', 'gamma']],
      ['?tags=RED', ['gamma', 'Beta', 'alpha']],
      ['?tags=red&tags=%EF%BD%82lue', ['gamma', 'alpha']],
      ['?tags=red&tags=Red', ['gamma', 'Beta', 'alpha']],
      ['?tags=red&tags=green', []],
      ['?tags=&type=nlp', ['éclair 100%', 'alpha']],
      ['?tags=red&status=active&type=nlp&q=alp', ['alpha']],
      ['?q=BLUE', ['gamma', 'alpha']],
      ['?q=BETA', ['Beta']],
      ['?q=about%20g', ['gamma']],
      ['?q=%C3%89CLAIR', ['éclair 100%']],
      ['?q=100%25', ['éclair 100%']],
      ['?q=a_o', ['Delta_one']],
      ['?q=l%25a', []],
      ['?q=!', []],
      ["?q='", []],
      ['?sort=name', ['alpha', 'Beta', 'Delta_one', 'gamma', 'éclair 100%']],
      ['?sort=-name&limit=2', ['éclair 100%', 'gamma']],
      ['?sort=created_at&limit=2', ['alpha', 'Beta']],
    ] as const) {
      it(`is ${JSON.stringify(expected)} for ${query}`, async () => {
        expect(await names(query)).to.deep.equal(expected);
      });
    }

    describe('searched', () => {
      let search: (q: string) => Promise<readonly string[]>;
      before(async () => {
        for (const name of ['Müller', 'Mu\u0308ller again', 'ミューラー', 'ΟΔΟΣ', '한글', 'Weiß']) {
          ids.push(await showcase.algorithm({ name, type: 'searched' }));
        }
        search = (q) => names(`?type=searched&sort=created_at&q=${encodeURIComponent(q)}`);
      });

      for (const [q, found] of [
        ['Müller', ['Müller', 'Mu\u0308ller again']],
        ['mu\u0308LLER', ['Müller', 'Mu\u0308ller again']],
        ['ＭÜＬＬＥＲ', ['Müller', 'Mu\u0308ller again']],
        ['ﾐｭｰ', ['ミューラー']],
        ['οδος', ['ΟΔΟΣ']],
        ['οδοσ', ['ΟΔΟΣ']],
        ['한글'.normalize('NFD'), ['한글']],
        ['WEISS', ['Weiß']],
        ['Muller', []],
      ] as const) {
        it(`finds ${found.join(', ') || 'nothing'} for ${JSON.stringify(q)}`, async () => {
          expect(await search(q)).to.deep.equal(found);
        });
      }

      after(async () => {
        for (const id of ids.splice(5)) await showcase.as(showcase.admin, 'DELETE', `/algorithms/${id}`);
      });
    });

    it('counts only what matches the filter', async () => {
      expect((await list('?type=ml&limit=1')).body.total).to.equal(3);
    });

    describe('with facets', () => {
      const facets = async (query = '', who?: Pick<SignedIn, 'token'>) => {
        const { body } = await showcase.as(who, 'GET', `/algorithms?facets=true&limit=1${query}`);
        const counts = Object.entries(body.facets as Record<string, { name: string; count: number }[]>);
        return Object.fromEntries(
          counts.map(([facet, names]) => [facet, names.map(({ name, count }) => `${name} ${count}`)]),
        );
      };
      const all = {
        types: ['ml 3', 'nlp 2'],
        statuses: ['active 3', 'deprecated 1', 'inactive 1'],
        tags: ['Red 3', 'BLUE 2', 'green 1'],
      };

      it('counts the whole list, the highest first', async () => {
        expect(await facets()).to.deep.equal(all);
      });

      for (const [query, expected] of [
        [
          '&type=nlp',
          { types: all.types, statuses: ['active 1', 'deprecated 1'], tags: ['blue 1', 'Red 1'] },
        ],
        [
          '&status=active',
          { types: ['ml 2', 'nlp 1'], statuses: all.statuses, tags: ['BLUE 2', 'Red 2', 'green 1'] },
        ],
        [
          '&tags=red',
          { types: ['ml 2', 'nlp 1'], statuses: ['active 2', 'inactive 1'], tags: ['Red 3', 'BLUE 2'] },
        ],
        ['&q=gamma', { types: ['ml 1'], statuses: ['active 1'], tags: ['BLUE 1', 'red 1'] }],
        ['&q=nothing', { types: [], statuses: [], tags: [] }],
      ] as const) {
        it(`counts what ${query} selects, types and statuses without their own filter`, async () => {
          expect(await facets(query)).to.deep.equal(expected);
        });
      }

      it('counts private algorithms for those who see them only', async () => {
        const fields = { access: 'private', type: 'secret', tags: ['secret'] };
        const id = await showcase.algorithm(fields);
        const seen = await facets('', showcase.admin);
        const hidden = await facets('', await showcase.service.user('curious'));
        await showcase.as(showcase.admin, 'DELETE', `/algorithms/${id}`);
        expect([seen['types'], seen['tags']]).to.deep.equal([
          [...all.types, 'secret 1'],
          [...all.tags, 'secret 1'],
        ]);
        expect(hidden).to.deep.equal(all);
      });

      it('is left out unless it is asked for', async () => {
        expect((await list('?facets=false')).body).to.have.all.keys('algorithms', 'total');
      });

      it('shows a change at once', async () => {
        await showcase.as(showcase.admin, 'PUT', `/algorithms/${ids[4]}`, { tags: ['brown'] });
        const changed = await facets();
        await showcase.as(showcase.admin, 'PUT', `/algorithms/${ids[4]}`, { tags: ['green'] });
        expect(changed['tags']).to.deep.equal(['Red 3', 'BLUE 2', 'brown 1']);
      });
    });

    it('has no figures where no plugin keeps calls', async () => {
      const { body } = await list('?stats=true&sort=-calls&limit=2');
      expect(body.algorithms.map(({ stats }: { stats: unknown }) => stats)).to.deep.equal([null, null]);
      expect(body.total).to.equal(5);
    });

    it('can show what changed last first', async () => {
      await new Promise((go) => setTimeout(go, 5));
      await showcase.as(showcase.admin, 'PUT', `/algorithms/${ids[1]}`, { description: 'About Beta again' });
      expect((await names('?sort=-updated_at'))[0]).to.equal('Beta');
    });

    for (const query of [
      'skip=-1',
      'skip=x',
      'limit=0',
      'limit=1001',
      'limit=1.5',
      'sort=id',
      'status=gone',
      'user_id=x',
      `tags=${'x'.repeat(51)}`,
      'facets=yes',
      'stats=1',
      `q=${'x'.repeat(201)}`,
    ]) {
      it(`refuses ?${query.slice(0, 20)}`, async () => {
        expect((await list(`?${query}`)).status).to.equal(422);
      });
    }

    describe('when it is remembered', () => {
      it('is not sent again to somebody who has it', async () => {
        const first = await showcase.service.request('GET', '/algorithms');
        const again = await showcase.service.request('GET', '/algorithms', {
          headers: { 'If-None-Match': first.headers['etag']! },
        });
        expect([again.status, again.body]).to.deep.equal([304, '']);
      });

      it('has another tag after a change, and shows the change at once', async () => {
        const first = await list('?q=remembered');
        const id = await showcase.algorithm({ name: 'Remembered' });
        const second = await list('?q=remembered');
        await showcase.as(showcase.admin, 'DELETE', `/algorithms/${id}`);
        const third = await list('?q=remembered');
        expect([first, second, third].map(({ body }) => body.total)).to.deep.equal([0, 1, 0]);
        expect(second.headers['etag']).to.not.equal(first.headers['etag']);
        expect(third.headers['etag']).to.equal(first.headers['etag']);
      });

      it('may not be kept by caches when somebody signed in', async () => {
        const open = await list();
        const signedIn = await showcase.as(showcase.admin, 'GET', '/algorithms');
        expect(open.headers['cache-control']).to.equal('no-cache');
        expect(signedIn.headers['cache-control']).to.equal('no-store');
        expect(signedIn.body).to.deep.equal(open.body);
      });

      it('is never older than the last answered change, however many read meanwhile', async () => {
        const id = await showcase.algorithm({ name: 'Busy' });
        const stale: string[] = [];
        for (let round = 0; round < 20; round += 1) {
          const name = `Busy ${round}`;
          const changing = showcase.as(showcase.admin, 'PUT', `/algorithms/${id}`, { name });
          const readers = Array.from({ length: 5 }, () => showcase.as(undefined, 'GET', `/algorithms/${id}`));
          await Promise.all([changing, ...readers]);
          const seen = (await showcase.as(undefined, 'GET', `/algorithms/${id}`)).body.name;
          if (seen !== name) stale.push(`${seen} after ${name}`);
        }
        expect(stale).to.deep.equal([]);
      });
    });
  });
});
