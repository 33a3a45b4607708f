import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { CATALOGUE } from '../../../plugins/catalogue/contract.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

onEveryEngine((engine) => {
  describe('/monitoring/series', () => {
    let vitrine: Vitrine;
    let upstream: Upstream;
    let admin: SignedIn;
    let ada: SignedIn;
    before(async () => {
      upstream = await startUpstream();
      const plugins = ['users', 'catalogue', 'permissions', 'invocation', 'monitoring'];
      vitrine = await startVitrine(engine, { plugins });
      [admin, ada] = [await vitrine.admin(), await vitrine.user('ada')];
    });
    after(async () => {
      await vitrine.stop();
      await upstream.stop();
    });

    const newAlgorithm = async (access: 'open' | 'private' = 'open') => {
      const catalogue = vitrine.get(CATALOGUE);
      const about = { name: 'Echo', description: 'Says it again', type: 'nlp', access };
      const { id } = await catalogue.create(about);
      const addVersion = async (version: string) =>
        (await catalogue.createVersion(id, { version, url: upstream.url })).id;
      return { algorithm_id: id, versions: [await addVersion('1'), await addVersion('2')] as const };
    };
    const call = async (algorithm_id: string, version_id: string, { token }: SignedIn = ada) => {
      const body = { algorithm_id, version_id, input_data: {} };
      expect((await vitrine.request('POST', '/algorithms/call', { body, token })).status).to.equal(200);
    };
    const series = (query = '', { token }: SignedIn = admin) =>
      vitrine.request('GET', `/monitoring/series${query}`, { token });
    const succeeded = ({ body }: Awaited<ReturnType<typeof series>>) =>
      (body.points as { success: number }[]).reduce((sum, { success }) => sum + success, 0);
    const grant = async (algorithm_id: string, permission_type: string) => {
      const body = { algorithm_id, user_id: ada.id, permission_type };
      await vitrine.request('POST', '/permissions/grants', { body, token: admin.token });
    };

    it('needs a token', async () => {
      expect((await vitrine.request('GET', '/monitoring/series')).status).to.equal(401);
    });

    it('shows administrators the calls of everybody, of an algorithm and of a version', async () => {
      const before = succeeded(await series());
      const { algorithm_id, versions } = await newAlgorithm();
      await call(algorithm_id, versions[0]);
      await call(algorithm_id, versions[1]);
      await call(algorithm_id, versions[1], admin);
      expect(succeeded(await series()) - before).to.equal(3);
      expect(succeeded(await series(`?algorithm_id=${algorithm_id}`))).to.equal(3);
      expect(succeeded(await series(`?algorithm_id=${algorithm_id}&version_id=${versions[1]}`))).to.equal(2);
    });

    it('has hours and days with percentiles and the average', async () => {
      const { algorithm_id, versions } = await newAlgorithm();
      await call(algorithm_id, versions[0]);
      for (const [bucket, length] of [
        ['minute', 60],
        ['hour', 48],
        ['day', 30],
      ] as const) {
        const { body } = await series(`?algorithm_id=${algorithm_id}&bucket=${bucket}`);
        expect(body.bucket).to.equal(bucket);
        expect(body.points).to.have.length(length);
        const point = body.points.find(({ success }: { success: number }) => success === 1);
        for (const name of ['p50', 'p95', 'average']) expect(point[name], name).to.be.within(0, 5);
      }
    });

    it('is for managers of an algorithm, and for that one alone', async () => {
      const { algorithm_id } = await newAlgorithm();
      const codeOf = async (query: string) => {
        const { status, body } = await series(query, ada);
        return [status, body.code];
      };
      await grant(algorithm_id, 'execute');
      expect(await codeOf(`?algorithm_id=${algorithm_id}`)).to.deep.equal([403, 'forbidden']);
      await grant(algorithm_id, 'manage');
      expect(await codeOf(`?algorithm_id=${algorithm_id}`)).to.deep.equal([200, undefined]);
      expect(await codeOf('')).to.deep.equal([403, 'forbidden']);
      const another = await newAlgorithm();
      expect(await codeOf(`?algorithm_id=${another.algorithm_id}`)).to.deep.equal([403, 'forbidden']);
    });

    it('does not know a private algorithm to those without a right on it', async () => {
      const { algorithm_id } = await newAlgorithm('private');
      for (const id of [algorithm_id, 'nonsense']) {
        const { status, body } = await series(`?algorithm_id=${id}`, ada);
        expect([status, body.code], id).to.deep.equal([404, 'algorithm_not_found']);
      }
      await grant(algorithm_id, 'manage');
      expect((await series(`?algorithm_id=${algorithm_id}`, ada)).status).to.equal(200);
    });

    it('keeps the figures of a deleted algorithm for administrators', async () => {
      const { algorithm_id, versions } = await newAlgorithm();
      await call(algorithm_id, versions[0]);
      await vitrine.request('DELETE', `/algorithms/${algorithm_id}`, { token: admin.token });
      expect(succeeded(await series(`?algorithm_id=${algorithm_id}`))).to.equal(1);
      expect((await series(`?algorithm_id=${algorithm_id}`, ada)).status).to.equal(404);
    });

    it('refuses more than 1,000 points, and says so', async () => {
      const { status, body } = await series('?start_date=2020-01-01&end_date=2022-12-31');
      expect(status).to.equal(422);
      expect(body.errors[0].message).to.include('1000');
    });

    it('is unavailable while no algorithms are called', async () => {
      const alone = await startVitrine(engine, { plugins: ['users', 'monitoring'] });
      const { token } = await alone.admin();
      const { status, body } = await alone.request('GET', '/monitoring/series', { token });
      await alone.stop();
      expect([status, body.code]).to.deep.equal([503, 'performance_unavailable']);
    });
  });

  describe('/monitoring/callers', () => {
    let vitrine: Vitrine;
    let upstream: Upstream;
    let admin: SignedIn;
    let ada: SignedIn;
    let algorithm: string;
    before(async () => {
      upstream = await startUpstream(({ body }, response) => {
        response.statusCode = body.input_data.fails ? 500 : 200;
        return {};
      });
      const plugins = ['users', 'catalogue', 'permissions', 'invocation', 'monitoring'];
      vitrine = await startVitrine(engine, { plugins });
      [admin, ada] = [await vitrine.admin(), await vitrine.user('ada')];
      const catalogue = vitrine.get(CATALOGUE);
      const about = { name: 'Echo', description: 'Says it again', type: 'nlp', access: 'private' } as const;
      ({ id: algorithm } = await catalogue.create(about));
      await catalogue.createVersion(algorithm, { version: '1', url: upstream.url });
      await grant('execute');
      for (const fails of [false, false, true]) await call(ada, { fails });
      await call(admin);
    });
    after(async () => {
      await vitrine.stop();
      await upstream.stop();
    });

    const call = async ({ token }: SignedIn, input_data: object = {}) => {
      const body = { algorithm_id: algorithm, version_id: 'default', input_data };
      expect((await vitrine.request('POST', '/algorithms/call', { body, token })).status).to.equal(200);
    };
    const grant = (permission_type: string) => {
      const body = { algorithm_id: algorithm, user_id: ada.id, permission_type };
      return vitrine.request('POST', '/permissions/grants', { body, token: admin.token });
    };
    const callers = (query = '', { token }: SignedIn = admin) =>
      vitrine.request('GET', `/monitoring/callers${query}`, { token });

    it('names who called most, with what became of the calls', async () => {
      const { status, body } = await callers(`?bucket=minute&algorithm_id=${algorithm}`);
      expect(status).to.equal(200);
      expect(Date.parse(body.end) - Date.parse(body.start)).to.equal(3_600_000);
      const [first, second, ...others] = body.callers;
      expect(others).to.deep.equal([]);
      expect(first).to.include({ user_id: ada.id, username: 'ada', total_calls: 3, success_rate: 66.6667 });
      expect(first.avg_response_time).to.be.within(0, 5);
      expect(second).to.include({ user_id: admin.id, total_calls: 1, success_rate: 100 });
      expect((await callers('?limit=1')).body.callers).to.have.length(1);
      expect((await callers('?status=failed')).body.callers[0]).to.include({
        total_calls: 1,
        success_rate: 0,
      });
    });

    it('is for administrators, and for managers of an algorithm who name it', async () => {
      const codeOf = async (query: string) => (await callers(query, ada)).body.code;
      expect(await codeOf('')).to.equal('forbidden');
      expect(await codeOf(`?algorithm_id=${algorithm}`)).to.equal('forbidden');
      expect(await codeOf('?algorithm_id=nonsense')).to.equal('algorithm_not_found');
      await grant('manage');
      expect(await codeOf(`?algorithm_id=${algorithm}`)).to.equal(undefined);
      expect(await codeOf('')).to.equal('forbidden');
      const { token } = await vitrine.user('bob');
      const { body } = await callers(`?algorithm_id=${algorithm}`, { token } as SignedIn);
      expect(body.code, 'a private algorithm of others').to.equal('algorithm_not_found');
    });

    it('keeps the calls of deleted accounts, without a name', async () => {
      const leaver = await vitrine.user('leaver');
      const body = { algorithm_id: algorithm, user_id: leaver.id, permission_type: 'execute' };
      await vitrine.request('POST', '/permissions/grants', { body, token: admin.token });
      await call(leaver);
      await vitrine.request('DELETE', `/users/${leaver.id}`, { token: admin.token });
      const { callers: all } = (await callers()).body;
      const left = all.find(({ user_id }: { user_id: string }) => user_id === leaver.id);
      expect(left).to.include({ username: null, total_calls: 1 });
    });

    for (const query of [
      'limit=0',
      'limit=101',
      'bucket=week',
      'start_date=2020-01-01&bucket=hour',
      'version_id=1',
    ]) {
      it(`refuses ${query}`, async () => {
        expect((await callers(`?${query}`)).status).to.equal(422);
      });
    }
  });
});
