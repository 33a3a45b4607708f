import { expect } from 'chai';
import { conformance, DATE_TIME, ID, UNKNOWN_ID } from './support/api.ts';

conformance('algorithms', (api) => {
  const edges = { name: 'Edges', description: 'Finds edges.', type: 'computer_vision' };

  describe('POST /algorithms', () => {
    it('answers the whole algorithm', async () => {
      const made = await api.ok('POST', '/algorithms', { as: 'admin', body: edges });
      expect(made).to.deep.include({ ...edges, status: 'active', versions: [] });
      expect(made.id).to.match(ID);
      expect(made.created_at).to.match(DATE_TIME).and.equal(made.updated_at);
    });

    it('takes a status', async () => {
      expect(await api.algorithm({ status: 'deprecated' })).to.include({ status: 'deprecated' });
    });

    it('names each field that is missing', async () => {
      const pointers = await api.pointers('POST', '/algorithms', { as: 'admin', body: {} });
      expect(pointers).to.have.members(['/body/name', '/body/description', '/body/type']);
    });

    it('names each field of another type, and coerces none', async () => {
      const body = { name: 1, description: null, type: ['ml'], status: true };
      const pointers = await api.pointers('POST', '/algorithms', { as: 'admin', body });
      expect(pointers).to.include.members(['/body/name', '/body/description', '/body/type', '/body/status']);
    });

    it('is for administrators', async () => {
      await api.refused(403, 'POST', '/algorithms', { as: 'ann', body: edges });
      await api.refused(401, 'POST', '/algorithms', { body: edges });
    });

    it('ignores fields that are not for clients to set', async () => {
      const body = {
        ...edges,
        id: UNKNOWN_ID,
        created_at: '2001-01-01T00:00:00.000Z',
        versions: [{}],
        nonsense: 1,
      };
      const made = await api.ok('POST', '/algorithms', { as: 'admin', body });
      expect(made.id).to.not.equal(UNKNOWN_ID);
      expect(made.created_at).to.not.match(/^2001/);
      expect(made.versions).to.deep.equal([]);
      expect(made).to.not.have.property('nonsense');
    });

    it('keeps text of any script as it was sent', async () => {
      const text = {
        name: 'Ñandú 日本語 🙂 e\u0301',
        description: 'line\nline\t"quoted" <b>&amp;</b> \\',
        type: 'тип',
      };
      const { id } = await api.algorithm(text);
      expect(await api.ok('GET', `/algorithms/${id}`)).to.include(text);
    });
  });

  describe('GET /algorithms', () => {
    it('is open to everyone, and each entry has an array of versions', async () => {
      const list = await api.ok('GET', '/algorithms');
      expect(list).to.have.keys('algorithms', 'total');
      for (const one of list.algorithms) expect(one.versions).to.be.an('array');
    });

    it('filters by exactly one type', async () => {
      const { id } = await api.algorithm({ type: 'only here' });
      await api.algorithm({ type: 'only here too' });
      const { algorithms, total } = await api.ok('GET', '/algorithms?type=only%20here');
      expect(algorithms.map((one: { id: string }) => one.id)).to.deep.equal([id]);
      expect(total).to.equal(1);
    });

    it('answers nothing, and a total of 0, for a type that nothing has', async () => {
      expect(await api.ok('GET', '/algorithms?type=nothing')).to.deep.equal({ algorithms: [], total: 0 });
    });

    it('shows the newest first', async () => {
      const older = await api.algorithm({ type: 'order' });
      const newer = await api.algorithm({ type: 'order' });
      const { algorithms } = await api.ok('GET', '/algorithms?type=order');
      expect(algorithms.map((one: { id: string }) => one.id)).to.deep.equal([newer.id, older.id]);
    });

    it('pages through everything once, with the same total on each page', async () => {
      const made = new Set<string>();
      for (let n = 0; n < 5; n += 1) made.add((await api.algorithm({ type: 'pages' })).id);
      const seen: string[] = [];
      for (let skip = 0; skip < 8; skip += 2) {
        const page = await api.ok('GET', `/algorithms?type=pages&skip=${skip}&limit=2`);
        expect(page.total).to.equal(5);
        seen.push(...page.algorithms.map((one: { id: string }) => one.id));
      }
      expect(seen)
        .to.have.length(5)
        .and.have.members([...made]);
    });

    it('answers 100 of them unless told otherwise, and up to 1000', async () => {
      for (let n = 0; n < 101; n += 1) await api.algorithm({ type: 'many' });
      expect((await api.ok('GET', '/algorithms?type=many')).algorithms).to.have.length(100);
      const { algorithms, total } = await api.ok('GET', '/algorithms?type=many&limit=1000');
      expect([algorithms.length, total]).to.deep.equal([101, 101]);
    });

    for (const [query, pointer] of [
      ['skip=-1', '/query/skip'],
      ['skip=1.5', '/query/skip'],
      ['skip=many', '/query/skip'],
      ['limit=0', '/query/limit'],
      ['limit=1001', '/query/limit'],
      ['limit=ten', '/query/limit'],
      ['limit=1&limit=2', '/query/limit'],
    ] as const) {
      it(`refuses ${query}`, async () => {
        expect(await api.pointers('GET', `/algorithms?${query}`)).to.deep.equal([pointer]);
      });
    }
  });

  describe('GET /algorithms/{algorithm_id}', () => {
    it('embeds the versions', async () => {
      const { id } = await api.algorithm();
      const version = await api.version(id);
      expect((await api.ok('GET', `/algorithms/${id}`)).versions).to.deep.equal([version]);
    });

    it('embeds an empty array when there are none', async () => {
      const { id } = await api.algorithm();
      expect((await api.ok('GET', `/algorithms/${id}`)).versions).to.deep.equal([]);
    });

    for (const id of [UNKNOWN_ID, 'nonsense', '1', '%00', "'--", 'null']) {
      it(`does not know ${id}`, () => api.refused(404, 'GET', `/algorithms/${id}`));
    }
  });

  describe('PUT /algorithms/{algorithm_id}', () => {
    it('changes what is named, and nothing else', async () => {
      const before = await api.algorithm();
      const changed = await api.ok('PUT', `/algorithms/${before.id}`, {
        as: 'admin',
        body: { status: 'inactive' },
      });
      expect(changed).to.deep.equal({ ...before, status: 'inactive', updated_at: changed.updated_at });
      expect(await api.ok('GET', `/algorithms/${before.id}`)).to.deep.equal(changed);
    });

    it('changes every field that it may', async () => {
      const { id } = await api.algorithm();
      const body = { ...edges, status: 'deprecated' };
      expect(await api.ok('PUT', `/algorithms/${id}`, { as: 'admin', body })).to.include(body);
    });

    it('takes back what was read, versions and all, and nothing changes', async () => {
      const { id } = await api.algorithm();
      await api.version(id);
      const read = await api.ok('GET', `/algorithms/${id}`);
      const { updated_at, ...rest } = await api.ok('PUT', `/algorithms/${id}`, { as: 'admin', body: read });
      const { updated_at: before, ...same } = read;
      expect(rest).to.deep.equal(same);
      expect(updated_at >= before).to.equal(true);
    });

    it('accepts an empty object', async () => {
      const { id, name } = await api.algorithm();
      expect(await api.ok('PUT', `/algorithms/${id}`, { as: 'admin', body: {} })).to.include({ id, name });
    });

    it('refuses an unknown status', async () => {
      const { id } = await api.algorithm();
      const ask = { as: 'admin', body: { status: 'broken' } };
      expect(await api.pointers('PUT', `/algorithms/${id}`, ask)).to.deep.equal(['/body/status']);
    });

    it('needs a token, and the right to manage the algorithm', async () => {
      const { id } = await api.algorithm();
      await api.refused(401, 'PUT', `/algorithms/${id}`, { body: {} });
      await api.refused(403, 'PUT', `/algorithms/${id}`, { as: 'ann', body: {} });
      const body = { algorithm_id: id, user_id: (await api.person('mia')).id, permission_type: 'manage' };
      await api.ok('POST', '/permissions/grants', { as: 'admin', body });
      await api.ok('PUT', `/algorithms/${id}`, { as: 'mia', body: { name: 'renamed' } });
    });

    it('does not know an unknown id', () =>
      api.refused(404, 'PUT', `/algorithms/${UNKNOWN_ID}`, { as: 'admin', body: {} }));
  });

  describe('DELETE /algorithms/{algorithm_id}', () => {
    it('answers a message, and the algorithm and its versions are gone', async () => {
      const { id } = await api.algorithm();
      const version = await api.version(id);
      const answer = await api.ok('DELETE', `/algorithms/${id}`, { as: 'admin' });
      expect(answer).to.have.keys('message');
      await api.refused(404, 'GET', `/algorithms/${id}`);
      await api.refused(404, 'GET', `/algorithms/${id}/versions`);
      await api.refused(404, 'GET', `/algorithms/${id}/versions/${version.id}`);
      await api.refused(404, 'DELETE', `/algorithms/${id}`, { as: 'admin' });
    });

    it('keeps the records of calls', async () => {
      const callable = await api.callable();
      const record = await api.call('ann', callable);
      await api.ok('DELETE', `/algorithms/${callable.algorithm_id}`, { as: 'admin' });
      expect(await api.ok('GET', `/algorithms/calls/${record.id}`, { as: 'ann' })).to.deep.equal(record);
    });

    it('needs a token, and the right to manage the algorithm', async () => {
      const { id } = await api.algorithm();
      await api.refused(401, 'DELETE', `/algorithms/${id}`);
      await api.refused(403, 'DELETE', `/algorithms/${id}`, { as: 'ann' });
      await api.ok('GET', `/algorithms/${id}`);
    });
  });
});
