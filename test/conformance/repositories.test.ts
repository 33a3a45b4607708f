import { expect } from 'chai';
import { conformance, DATE_TIME, ID, UNKNOWN_ID } from './support/api.ts';

conformance('repositories', (api) => {
  const whole = {
    name: 'edges',
    description: 'Finds edges.',
    type: 'code',
    repo_url: 'https://git.example.org/vision/edges.git',
    branch: 'develop',
    local_path: 'vision/edges',
  };
  const make = async (fields: object = {}) =>
    (await api.ok('POST', '/repositories', { as: 'admin', body: { name: 'edges', ...fields } })).repository;

  describe('POST /repositories', () => {
    it('answers success, a message and the repository: active and not linked', async () => {
      const { success, message, repository } = await api.ok('POST', '/repositories', {
        as: 'admin',
        body: whole,
      });
      expect([success, typeof message]).to.deep.equal([true, 'string']);
      expect(repository).to.include({ ...whole, status: 'active', algorithm_id: null });
      expect(repository.id).to.match(ID);
      expect(repository.created_at).to.match(DATE_TIME).and.equal(repository.updated_at);
    });

    it('needs the name alone', async () => {
      expect(await make({ name: 'bare' })).to.include({
        name: 'bare',
        description: '',
        type: 'code',
        repo_url: '',
        branch: 'main',
        local_path: '',
      });
      expect(await api.pointers('POST', '/repositories', { as: 'admin', body: {} })).to.deep.equal([
        '/body/name',
      ]);
    });

    it('ignores an id and times in the request', async () => {
      const sent = { id: UNKNOWN_ID, created_at: '2001-01-01T00:00:00.000Z' };
      const made = await make(sent);
      expect(made.id).to.not.equal(sent.id);
      expect(made.created_at).to.not.equal(sent.created_at);
    });

    for (const [fields, pointer] of [
      [{ name: '' }, '/body/name'],
      [{ repo_url: 'javascript:alert(1)' }, '/body/repo_url'],
      [{ repo_url: 'file:///etc' }, '/body/repo_url'],
      [{ local_path: '../../etc' }, '/body/local_path'],
      [{ branch: 1 }, '/body/branch'],
    ] as const) {
      it(`refuses ${JSON.stringify(fields)}`, async () => {
        const ask = { as: 'admin', body: { ...whole, ...fields } };
        expect([...new Set(await api.pointers('POST', '/repositories', ask))]).to.deep.equal([pointer]);
      });
    }
  });

  describe('GET /repositories', () => {
    it('answers them to every user, newest first', async () => {
      const older = await make();
      const newer = await make();
      const { success, repositories } = await api.ok('GET', '/repositories', { as: 'ann' });
      expect(success).to.equal(true);
      expect(repositories.slice(0, 2)).to.deep.equal([newer, older]);
    });

    it('answers one', async () => {
      const made = await make();
      const answer = await api.ok('GET', `/repositories/${made.id}`, { as: 'ann' });
      expect(answer).to.deep.equal({ success: true, repository: made });
    });

    it('does not know unknown ids', async () => {
      await api.refused(404, 'GET', `/repositories/${UNKNOWN_ID}`, { as: 'ann' });
      await api.refused(404, 'GET', '/repositories/nonsense', { as: 'ann' });
    });

    for (const query of ['skip=-1', 'limit=0', 'limit=1001']) {
      it(`refuses ${query}`, async () => {
        const pointers = await api.pointers('GET', `/repositories?${query}`, { as: 'ann' });
        expect(pointers).to.deep.equal([`/query/${query.split('=')[0]}`]);
      });
    }
  });

  describe('PUT /repositories/{repo_id}', () => {
    it('changes what is named, and nothing else', async () => {
      const made = await make(whole);
      const body = { name: 'corners', description: 'Finds corners.', type: 'data' };
      const { success, message, repository } = await api.ok('PUT', `/repositories/${made.id}`, {
        as: 'admin',
        body,
      });
      expect([success, typeof message]).to.deep.equal([true, 'string']);
      expect(repository).to.deep.equal({ ...made, ...body, updated_at: repository.updated_at });
    });

    it('takes back what was read', async () => {
      const made = await make(whole);
      const { repository } = await api.ok('PUT', `/repositories/${made.id}`, { as: 'admin', body: made });
      expect(repository).to.deep.equal({ ...made, updated_at: repository.updated_at });
    });

    it('archives', async () => {
      const { id } = await make();
      const body = { status: 'archived' };
      const { repository } = await api.ok('PUT', `/repositories/${id}`, { as: 'admin', body });
      expect(repository).to.include(body);
    });

    it('does not know unknown ids', () =>
      api.refused(404, 'PUT', `/repositories/${UNKNOWN_ID}`, { as: 'admin', body: {} }));
  });

  describe('DELETE /repositories/{repo_id}', () => {
    it('answers that nothing was deleted elsewhere for one that was never hosted', async () => {
      const { id } = await make();
      const answer = await api.ok('DELETE', `/repositories/${id}`, { as: 'admin' });
      expect(answer).to.include({ success: true, repohost_deleted: false });
      expect(answer.message).to.be.a('string');
      await api.refused(404, 'GET', `/repositories/${id}`, { as: 'ann' });
      await api.refused(404, 'DELETE', `/repositories/${id}`, { as: 'admin' });
    });
  });

  it('are read with a token and written by administrators', async () => {
    const { id } = await make();
    for (const path of ['/repositories', `/repositories/${id}`]) await api.refused(401, 'GET', path);
    for (const [method, path] of [
      ['POST', '/repositories'],
      ['PUT', `/repositories/${id}`],
      ['DELETE', `/repositories/${id}`],
    ] as const) {
      const body = method === 'DELETE' ? {} : { body: whole };
      await api.refused(401, method, path, body);
      await api.refused(403, method, path, { as: 'ann', ...body });
    }
  });
});
