import { expect } from 'chai';
import { things } from './routes-fixture.ts';
import { startServer, type TestServer } from './support.ts';

describe('validation of the input', () => {
  let server: TestServer;
  before(async () => (server = await startServer(things)));
  after(() => server.close());

  const errorsOf = async (method: string, path: string, json?: unknown) => {
    const answer = await server.request(method, path, json === undefined ? {} : { json });
    expect(answer.status).to.equal(422);
    return answer.body.errors;
  };

  describe('of bodies', () => {
    it('lists every broken rule with its pointer and the expected value', async () => {
      const errors = await errorsOf('POST', '/things', { name: '', count: 11, kind: 'tiny', extra: [] });
      expect(errors).to.deep.equal([
        { pointer: '/body/name', message: 'must not be empty.' },
        { pointer: '/body/count', message: 'must be at most 10.' },
        { pointer: '/body/kind', message: 'must be "small" or "large".' },
        { pointer: '/body/extra', message: 'must be an object.' },
      ]);
    });

    it('points at a field that is missing', async () => {
      expect(await errorsOf('POST', '/things', {})).to.deep.equal([
        { pointer: '/body/name', message: 'is required.' },
      ]);
    });

    it('does not take text for a number', async () => {
      expect(await errorsOf('POST', '/things', { name: 'a', count: '5' })).to.deep.equal([
        { pointer: '/body/count', message: 'must be a whole number.' },
      ]);
    });

    it('does not take null for a string', async () => {
      expect(await errorsOf('POST', '/things', { name: null })).to.deep.equal([
        { pointer: '/body/name', message: 'must be a string.' },
      ]);
    });

    it('takes null for an optional field that is not given', async () => {
      const { status, body } = await server.request('POST', '/things', {
        json: { name: 'a', count: null, kind: null, extra: null },
      });
      expect([status, body]).to.deep.equal([200, { name: 'a' }]);
    });

    it('drops fields at the top that are not declared', async () => {
      const answer = await server.request('POST', '/things', {
        json: { name: 'a', id: 'mine', role: 'admin' },
      });
      expect(answer.body).to.deep.equal({ name: 'a' });
    });

    it('keeps what is inside a free-form object', async () => {
      const extra = { a: { b: [1, null, 'x'] }, 'c d': false };
      const answer = await server.request('POST', '/things', { json: { name: 'a', extra } });
      expect(answer.body.extra).to.deep.equal(extra);
    });

    it('never repeats a value that was sent', async () => {
      const answer = await server.request('POST', '/things', { json: { name: 'a', kind: 'planted-secret' } });
      expect(answer.text).not.to.contain('planted-secret');
    });
  });

  describe('of queries', () => {
    it('turns text into the declared types and fills defaults in', async () => {
      const answer = await server.request('GET', '/things?skip=3&deep=true&kind=7');
      expect(answer.body).to.deep.equal({ skip: 3, limit: 100, deep: true, kind: '7' });
    });

    for (const query of ['kind=', 'kind', 'kind=%20%20', 'deep=', 'limit=', 'skip=&kind=&limit=+']) {
      it(`takes blank values for values that are not given: ${query}`, async () => {
        expect((await server.request('GET', `/things?${query}`)).body).to.deep.equal({ skip: 0, limit: 100 });
      });
    }

    it('takes the name of a boolean alone, without `=`, for true', async () => {
      expect((await server.request('GET', '/things?deep')).body.deep).to.equal(true);
    });

    it('takes the value of a name that is also given blank', async () => {
      expect((await server.request('GET', '/things?kind=&kind=7')).body.kind).to.equal('7');
    });

    for (const path of ['/things?_=17', '/things?utm_source=mail&utm_medium=', '/things/7?_=17&utm_id=1']) {
      it(`ignores what browsers and newsletters add: ${path}`, async () => {
        expect((await server.request('GET', path)).status).to.equal(200);
      });
    }

    for (const name of ['utm', '__', 'xutm_source']) {
      it(`refuses ${name}, which only looks like one of these`, async () => {
        expect((await errorsOf('GET', `/things?${name}=1`))[0].pointer).to.equal(`/query/${name}`);
      });
    }

    it('refuses unknown names without a value', async () => {
      expect((await errorsOf('GET', '/things?sort='))[0].pointer).to.equal('/query/sort');
    });

    it('refuses names that are not declared', async () => {
      expect(await errorsOf('GET', '/things?sort=name')).to.deep.equal([
        { pointer: '/query/sort', message: 'is not known here. Known are: kind, deep, skip, limit.' },
      ]);
    });

    it('refuses names where no query is declared', async () => {
      expect(await errorsOf('GET', '/things/7?x=1')).to.deep.equal([
        { pointer: '/query/x', message: 'is not known here: there is no query.' },
      ]);
    });

    it('refuses a name given twice', async () => {
      expect(await errorsOf('GET', '/things?limit=1&limit=2')).to.deep.equal([
        { pointer: '/query/limit', message: 'is given more than once.' },
      ]);
    });

    for (const value of ['1.5', 'ten', '0x10', '1e400', '%20 5', '0', '1001', '-1']) {
      it(`refuses limit=${value}`, async () => {
        const [error] = await errorsOf('GET', `/things?limit=${value}`);
        expect(error.pointer).to.equal('/query/limit');
      });
    }

    it('refuses NUL', async () => {
      expect((await errorsOf('GET', '/things?kind=a%00b'))[0].message).to.contain('NUL');
    });
  });
});
