import { expect } from 'chai';
import { conformance } from './support/api.ts';

conformance('lists', (api) => {
  let lists: readonly (readonly [string, number])[];

  before(async () => {
    const called = await api.callable();
    await api.callable();
    const { algorithm_id } = called;
    await api.call('admin', called);
    const expires_at = '2099-01-01T00:00:00Z';
    await api.ok('POST', '/api-keys', { as: 'admin', body: { name: 'laptop', expires_at } });
    for (const name of ['one', 'two']) {
      await api.ok('POST', '/repositories', { as: 'admin', body: { name } });
    }
    lists = [
      ['/algorithms', 2],
      ['/algorithms?limit=1', 2],
      ['/algorithms?type=none', 0],
      [`/algorithms/${algorithm_id}/versions`, 1],
      ['/api-keys', 1],
      ['/api-keys?status=revoked', 0],
      ['/repositories', 2],
      ['/repositories?limit=1', 2],
      ['/users?limit=1', 1],
      ['/history/user-calls', 1],
      ['/permissions/grants', 0],
      ['/gateway/blocks', 0],
      ['/gateway/policies', 0],
      ['/gateway/routes', 0],
    ];
  });

  it('say how many entries match on all pages, and where these are', async () => {
    for (const [path, total] of lists) {
      const { status, headers } = await api.ask('GET', path, { as: 'admin' });
      expect([path, status, headers['x-total-count']]).to.deep.equal([path, 200, String(total)]);
      expect(headers['link']).to.match(/^<[^>]+>; rel="first"/);
    }
  });

  it('lead to the next page by their links', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/algorithms?limit=1&type=ml&utm_source=mail';
    while (path !== undefined) {
      const { body, headers } = await api.ask('GET', path);
      seen.push(...body.algorithms.map(({ id }: { id: string }) => id));
      path = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
    }
    const { algorithms } = await api.ok('GET', '/algorithms');
    expect(seen).to.deep.equal(algorithms.map(({ id }: { id: string }) => id));
  });

  it('take blank values for values that are not given, and ignore what browsers add', async () => {
    for (const path of [
      '/algorithms?type=&status=&q=&sort=&skip=&limit=&_=17',
      '/repositories?type=&status=&algorithm_id=&q=&utm_source=mail',
      '/history/user-calls?algorithm_id=&status=&start_date=&end_date=&cursor=',
      '/history/statistics?user_id=&algorithm_id=',
      '/users?q=',
      '/permissions/grants?algorithm_id=&user_id=',
      '/gateway/blocks?active=',
      '/api-keys?status=',
    ]) {
      const [plain] = path.split('?');
      const given = await api.ok('GET', path, { as: 'admin' });
      expect(given).to.deep.equal(await api.ok('GET', plain!, { as: 'admin' }));
    }
  });

  it('refuse names that they do not know', async () => {
    for (const path of ['/algorithms', '/api-keys', '/repositories']) {
      const pointers = await api.pointers('GET', `${path}?surprise=1`, { as: 'admin' });
      expect(pointers).to.deep.equal(['/query/surprise']);
    }
  });
});

conformance('calls without params', (api) => {
  for (const params of [undefined, null, {}]) {
    it(`are the same with params ${JSON.stringify(params)}`, async () => {
      const called = await api.callable({ params: { k: { type: 'integer', default: 5, min: null } } });
      const record = await api.call('ann', { ...called, params });
      expect([record.status, record.params]).to.deep.equal(['success', {}]);
      expect(api.upstream.requests.at(-1)?.body).to.deep.include({ params: { k: 5 } });
    });
  }
});
