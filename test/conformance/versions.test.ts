import { expect } from 'chai';
import { conformance, DATE_TIME, ID, UNKNOWN_ID } from './support/api.ts';

conformance('versions', (api) => {
  const path = (algorithm: { id: string }, version?: { id: string }) =>
    `/algorithms/${algorithm.id}/versions${version ? `/${version.id}` : ''}`;
  const label = { version: '1.0.0', url: 'http://127.0.0.1:1/run' };

  describe('POST', () => {
    it('answers the whole version', async () => {
      const algorithm = await api.algorithm();
      const configuration = {
        params: { threshold: { type: 'number', default: 0.5, min: 0, max: 1 } },
        input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        output_schema: { type: 'object' },
      };
      const body = { ...label, ...configuration, is_default: true };
      const made = await api.ok('POST', path(algorithm), { as: 'admin', body });
      expect(made).to.deep.include({ ...body, algorithm_id: algorithm.id });
      expect(made.id).to.match(ID);
      expect(made.created_at).to.match(DATE_TIME);
      expect(made.updated_at).to.match(DATE_TIME);
      expect(await api.ok('GET', path(algorithm, made))).to.deep.equal(made);
    });

    it('needs the label and the url alone', async () => {
      const algorithm = await api.algorithm();
      const made = await api.ok('POST', path(algorithm), { as: 'admin', body: label });
      expect(made).to.deep.include({ params: {}, input_schema: {}, output_schema: {} });
      const pointers = await api.pointers('POST', path(algorithm), { as: 'admin', body: {} });
      expect(pointers).to.have.members(['/body/version', '/body/url']);
    });

    it('refuses a label that the algorithm has, and takes that of another', async () => {
      const algorithm = await api.algorithm();
      await api.ok('POST', path(algorithm), { as: 'admin', body: label });
      await api.refused(409, 'POST', path(algorithm), { as: 'admin', body: label });
      await api.ok('POST', path(await api.algorithm()), { as: 'admin', body: label });
    });

    for (const url of [
      'ftp://example.org/x',
      'javascript:alert(1)',
      'file:///etc/passwd',
      '/relative',
      'example.org',
      '',
    ]) {
      it(`refuses the url "${url}"`, async () => {
        const algorithm = await api.algorithm();
        const ask = { as: 'admin', body: { ...label, url } };
        expect(await api.pointers('POST', path(algorithm), ask)).to.deep.equal(['/body/url']);
      });
    }

    for (const url of ['http://169.254.169.254/latest/meta-data', 'http://[fe80::1]/']) {
      it(`refuses ${url} as a link-local address`, async () => {
        const algorithm = await api.algorithm();
        const ask = { as: 'admin', body: { ...label, url } };
        await api.refused(422, 'POST', path(algorithm), ask);
      });
    }

    for (const [what, body, pointer] of [
      ['a schema that is none', { input_schema: { type: 'nonsense' } }, '/body/input_schema'],
      ['a catastrophic pattern', { output_schema: { pattern: '(?<=(a+)+)$' } }, '/body/output_schema'],
      ['a parameter of no type', { params: { n: { type: 'nonsense' } } }, '/body/params/n'],
      [
        'a default beyond its bounds',
        { params: { n: { type: 'number', default: 5, max: 1 } } },
        '/body/params/n',
      ],
      ['parameters that are a list', { params: [] }, '/body/params'],
      ['a word for is_default', { is_default: 'yes' }, '/body/is_default'],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const algorithm = await api.algorithm();
        const ask = { as: 'admin', body: { ...label, ...body } };
        const pointers = await api.pointers('POST', path(algorithm), ask);
        expect(pointers.join()).to.include(pointer);
        expect(await api.ok('GET', path(algorithm))).to.deep.equal([]);
      });
    }

    it('needs a token, the right to manage, and an algorithm that exists', async () => {
      const algorithm = await api.algorithm();
      await api.refused(401, 'POST', path(algorithm), { body: label });
      await api.refused(403, 'POST', path(algorithm), { as: 'ann', body: label });
      await api.refused(404, 'POST', path({ id: UNKNOWN_ID }), { as: 'admin', body: label });
    });
  });

  describe('the default', () => {
    const defaults = async (algorithm: { id: string }) =>
      (await api.ok('GET', path(algorithm)))
        .filter((version: { is_default: boolean }) => version.is_default)
        .map((version: { id: string }) => version.id);

    it('is the first version', async () => {
      const algorithm = await api.algorithm();
      const first = await api.version(algorithm.id);
      const second = await api.version(algorithm.id);
      expect([first.is_default, second.is_default]).to.deep.equal([true, false]);
    });

    it('is the first version even when that says otherwise', async () => {
      expect(await api.version((await api.algorithm()).id, { is_default: false })).to.include({
        is_default: true,
      });
    });

    it('is a single version: a new one replaces the previous one', async () => {
      const algorithm = await api.algorithm();
      await api.version(algorithm.id);
      const second = await api.version(algorithm.id, { is_default: true });
      expect(await defaults(algorithm)).to.deep.equal([second.id]);
      const third = await api.version(algorithm.id);
      await api.ok('PUT', path(algorithm, third), { as: 'admin', body: { is_default: true } });
      expect(await defaults(algorithm)).to.deep.equal([third.id]);
    });

    it('becomes the newest version when it is deleted', async () => {
      const algorithm = await api.algorithm();
      const first = await api.version(algorithm.id);
      await api.version(algorithm.id);
      const newest = await api.version(algorithm.id);
      await api.ok('DELETE', path(algorithm, first), { as: 'admin' });
      expect(await defaults(algorithm)).to.deep.equal([newest.id]);
    });
  });

  describe('GET', () => {
    it('lists the versions for everyone as an array, newest first', async () => {
      const algorithm = await api.algorithm();
      const older = await api.version(algorithm.id);
      const newer = await api.version(algorithm.id);
      const list = await api.ok('GET', path(algorithm));
      expect(list.map((one: { id: string }) => one.id)).to.deep.equal([newer.id, older.id]);
    });

    it('does not know a version under another algorithm', async () => {
      const version = await api.version((await api.algorithm()).id);
      await api.refused(404, 'GET', path(await api.algorithm(), version));
    });

    it('does not know unknown ids', async () => {
      await api.refused(404, 'GET', path({ id: UNKNOWN_ID }));
      await api.refused(404, 'GET', path(await api.algorithm(), { id: UNKNOWN_ID }));
      await api.refused(404, 'GET', path(await api.algorithm(), { id: 'latest' }));
    });
  });

  describe('PUT', () => {
    it('changes what is named, and nothing else', async () => {
      const algorithm = await api.algorithm();
      const before = await api.version(algorithm.id, { params: { n: { type: 'integer', default: 1 } } });
      const body = { version: '2.0.0', output_schema: { type: 'object' } };
      const changed = await api.ok('PUT', path(algorithm, before), { as: 'admin', body });
      expect(changed).to.deep.equal({ ...before, ...body, updated_at: changed.updated_at });
    });

    it('takes back what was read', async () => {
      const algorithm = await api.algorithm();
      const read = await api.version(algorithm.id);
      const answer = await api.ok('PUT', path(algorithm, read), { as: 'admin', body: read });
      expect(answer).to.deep.equal({ ...read, updated_at: answer.updated_at });
    });

    it('does not move a version to another algorithm', async () => {
      const algorithm = await api.algorithm();
      const version = await api.version(algorithm.id);
      const body = { algorithm_id: (await api.algorithm()).id, id: UNKNOWN_ID };
      const pointers = await api.pointers('PUT', path(algorithm, version), { as: 'admin', body });
      expect(pointers).to.deep.equal(['/body/algorithm_id', '/body/id']);
    });

    it('refuses the label of another version, and keeps what was there', async () => {
      const algorithm = await api.algorithm();
      const { version: taken } = await api.version(algorithm.id);
      const other = await api.version(algorithm.id);
      const ask = { as: 'admin', body: { version: taken, url: 'http://127.0.0.1:2' } };
      await api.refused(409, 'PUT', path(algorithm, other), ask);
      expect(await api.ok('GET', path(algorithm, other))).to.deep.equal(other);
    });

    it('needs a token and the right to manage', async () => {
      const algorithm = await api.algorithm();
      const version = await api.version(algorithm.id);
      await api.refused(401, 'PUT', path(algorithm, version), { body: {} });
      await api.refused(403, 'PUT', path(algorithm, version), { as: 'ann', body: {} });
      await api.refused(404, 'PUT', path(algorithm, { id: UNKNOWN_ID }), { as: 'admin', body: {} });
    });
  });

  describe('DELETE', () => {
    it('answers a message, and the version is gone', async () => {
      const algorithm = await api.algorithm();
      const version = await api.version(algorithm.id);
      expect(await api.ok('DELETE', path(algorithm, version), { as: 'admin' })).to.have.keys('message');
      await api.refused(404, 'GET', path(algorithm, version));
      await api.refused(404, 'DELETE', path(algorithm, version), { as: 'admin' });
    });

    it('needs a token and the right to manage', async () => {
      const algorithm = await api.algorithm();
      const version = await api.version(algorithm.id);
      await api.refused(401, 'DELETE', path(algorithm, version));
      await api.refused(403, 'DELETE', path(algorithm, version), { as: 'ann' });
    });
  });
});
