import { expect } from 'chai';
import { impatientConnections } from '../plugins/repohost/timeout.ts';
import { FakeGitea } from '../support/fake-gitea.ts';
import { conformance, UNKNOWN_ID } from './support/api.ts';

const SECRET = 'gitea-secret-token-0123456789';

conformance(
  'code hosting',
  (api) => {
    const gitea = new FakeGitea();
    before(() => gitea.start());
    after(() => gitea.stop());

    const config = () => api.ok('GET', '/repohost/config', { as: 'admin' });
    const configure = (body: object) => api.ok('POST', '/repohost/config', { as: 'admin', body });
    const create = async (fields: object = {}) => {
      const { id } = await api.algorithm();
      const body = { algorithm_id: id, algorithm_name: 'Edges', description: 'Finds edges.', ...fields };
      return { id, hosted: await api.ok('POST', '/repohost/repos/create', { as: 'admin', body }) };
    };
    const entryOf = async (id: string) =>
      (await api.ok('GET', '/repositories', { as: 'ann' })).repositories.find(
        (entry: { algorithm_id: string }) => entry.algorithm_id === id,
      );

    describe('without configuration', () => {
      it('answers empty fields', async () => {
        expect(await config()).to.include({
          server_url: '',
          access_token: '',
          default_owner: '',
          repo_prefix: '',
        });
      });

      it('answers 503 for what needs the server', async () => {
        const { id } = await api.algorithm();
        const body = { algorithm_id: id, algorithm_name: 'Edges', description: '' };
        await api.refused(503, 'POST', '/repohost/repos/create', { as: 'admin', body });
      });
    });

    describe('with configuration', () => {
      beforeEach(async () => {
        gitea.reset();
        gitea.addUser('robot', SECRET);
        await configure({
          server_url: gitea.url,
          access_token: SECRET,
          default_owner: '',
          repo_prefix: 'algo-',
        });
      });

      it('answers success and a message when it is saved', async () => {
        const answer = await configure({ repo_prefix: 'algo-' });
        expect(answer).to.include({ success: true });
        expect(answer.message).to.be.a('string');
      });

      it('masks the token when it is read, wherever', async () => {
        const answer = await config();
        expect(answer).to.include({ server_url: gitea.url, default_owner: '', repo_prefix: 'algo-' });
        expect(answer.access_token).to.not.equal('');
        expect(JSON.stringify(answer)).to.not.include(SECRET);
      });

      for (const what of ['the mask', 'nothing', 'an empty value']) {
        it(`keeps the token when ${what} is sent back`, async () => {
          const { access_token: mask, ...rest } = await config();
          const token = {
            'the mask': { access_token: mask },
            nothing: {},
            'an empty value': { access_token: '' },
          };
          await configure({ ...rest, ...token[what as keyof typeof token] });
          await create();
          expect(gitea.repositories.size).to.equal(1);
        });
      }

      it('refuses an invalid address, and keeps the previous configuration', async () => {
        const before = await config();
        for (const server_url of ['ftp://example.org', 'nonsense', 'javascript:1']) {
          const ask = { as: 'admin', body: { ...before, server_url } };
          expect(await api.pointers('POST', '/repohost/config', ask)).to.deep.equal(['/body/server_url']);
        }
        expect(await config()).to.deep.equal(before);
      });

      it('creates a repository on the server, named after the prefix and the algorithm', async () => {
        const { id, hosted } = await create({ private: false });
        expect(hosted).to.deep.equal({
          id: gitea.repository(`robot/algo-${id}`)?.id,
          name: `algo-${id}`,
          full_name: `robot/algo-${id}`,
          description: 'Finds edges.',
          private: false,
          html_url: `${gitea.url}/robot/algo-${id}`,
        });
      });

      it('creates it for the organisation that is the default owner', async () => {
        gitea.organisations.set('Vision', new Map([['robot', true]]));
        await configure({ default_owner: 'Vision' });
        const { id, hosted } = await create();
        expect(hosted.full_name).to.equal(`Vision/algo-${id}`);
      });

      it('makes a linked entry among the repositories', async () => {
        const { id, hosted } = await create();
        const entry = await entryOf(id);
        expect(entry).to.include({ algorithm_id: id, status: 'active', description: 'Finds edges.' });
        expect(entry.repo_url).to.include(hosted.full_name);
      });

      it('answers 409 for one that exists', async () => {
        const { id } = await create();
        const body = { algorithm_id: id, algorithm_name: 'Edges', description: '' };
        await api.refused(409, 'POST', '/repohost/repos/create', { as: 'admin', body });
      });

      it('updates it on the server', async () => {
        const { id } = await create();
        const body = { algorithm_id: id, description: 'Better.', private: false };
        const answer = await api.ok('PATCH', '/repohost/repos/update', { as: 'admin', body });
        expect(answer).to.include({ success: true });
        expect(answer.message).to.be.a('string');
        expect(gitea.repository(`robot/algo-${id}`)).to.include({ description: 'Better.', private: false });
      });

      it('deletes it with its entry, and says so', async () => {
        const { id } = await create();
        const { id: entry } = await entryOf(id);
        const answer = await api.ok('DELETE', `/repositories/${entry}`, { as: 'admin' });
        expect(answer).to.include({ success: true, repohost_deleted: true });
        expect(gitea.repositories.size).to.equal(0);
      });

      it('answers false when it was gone already', async () => {
        const { id } = await create();
        gitea.repositories.clear();
        const { id: entry } = await entryOf(id);
        const answer = await api.ok('DELETE', `/repositories/${entry}`, { as: 'admin' });
        expect(answer).to.include({ success: true, repohost_deleted: false });
      });

      it('answers 404 for algorithms that are unknown or have none', async () => {
        const { id } = await api.algorithm();
        for (const algorithm_id of [UNKNOWN_ID, id]) {
          const body = { algorithm_id, description: 'x', private: true };
          await api.refused(404, 'PATCH', '/repohost/repos/update', { as: 'admin', body });
        }
        const body = { algorithm_id: UNKNOWN_ID, algorithm_name: 'x', description: '' };
        await api.refused(404, 'POST', '/repohost/repos/create', { as: 'admin', body });
      });

      it('answers 502 when the server fails, and 504 when it does not answer', async () => {
        const { id } = await create();
        const { id: entry } = await entryOf(id);
        const body = { algorithm_id: id, description: 'x', private: true };
        gitea.faults.set('*', { kind: 'status', status: 500 });
        await api.refused(502, 'PATCH', '/repohost/repos/update', { as: 'admin', body });
        await api.refused(502, 'DELETE', `/repositories/${entry}`, { as: 'admin' });
        gitea.faults.set('*', { kind: 'hang' });
        await api.refused(504, 'PATCH', '/repohost/repos/update', { as: 'admin', body });
        await api.refused(504, 'DELETE', `/repositories/${entry}`, { as: 'admin' });
        await api.ok('GET', `/repositories/${entry}`, { as: 'ann' });
      });

      it('names the field that is missing', async () => {
        for (const [method, path] of [
          ['POST', '/repohost/repos/create'],
          ['PATCH', '/repohost/repos/update'],
        ] as const) {
          expect(await api.pointers(method, path, { as: 'admin', body: {} })).to.deep.equal([
            '/body/algorithm_id',
          ]);
        }
      });

      it('is for administrators', async () => {
        for (const [method, path] of [
          ['GET', '/repohost/config'],
          ['POST', '/repohost/config'],
          ['POST', '/repohost/repos/create'],
          ['PATCH', '/repohost/repos/update'],
        ] as const) {
          const body = method === 'GET' ? {} : { body: {} };
          await api.refused(401, method, path, body);
          await api.refused(403, method, path, { as: 'ann', ...body });
        }
      });
    });
  },
  () => ({ services: [impatientConnections] }),
);
