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

    it('takes a flag without a value for true', async () => {
      expect((await server.request('GET', '/things?deep')).body.deep).to.equal(true);
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

    for (const value of ['1.5', 'ten', '', '0x10', '1e400', '%20 5', '0', '1001', '-1']) {
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
