import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startStage, type Stage } from './support/stage.ts';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('A call', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    before(async () => {
      stage = await startStage(engine, ({ body }) => ({ sum: body.input_data.a + body.input_data.b }));
    });
    after(() => stage.stop());

    it('answers the record of its outcome', async () => {
      const of = await stage.play();
      const { status, headers, body } = await stage.call(of, {
        input_data: { a: 2, b: 3 },
        params: { mode: 'fast' },
      });
      const { id, user_id, response_time, created_at, updated_at, ...rest } = body;
      expect(status).to.equal(200);
      expect(rest).to.deep.equal({
        ...of,
        status: 'success',
        input_data: { a: 2, b: 3 },
        params: { mode: 'fast' },
        output_data: { sum: 5 },
        error_message: null,
        error_code: null,
        request_id: headers['x-request-id'],
      });
      expect([id, user_id]).to.satisfy((ids: string[]) => ids.every((one) => one.length === 36));
      expect(response_time).to.be.within(0, 5);
      expect([created_at, updated_at]).to.satisfy((times: string[]) =>
        times.every((time) => DATE_TIME.test(time)),
      );
    });

    it('can be read again by its caller, the same in every field', async () => {
      const { body } = await stage.call(await stage.play(), { input_data: { a: 1, b: 1 } });
      const again = await stage.request('GET', `/algorithms/calls/${body.id}`, { token: stage.alice });
      expect(again.status).to.equal(200);
      expect(again.body).to.deep.equal(body);
    });

    it('of the version `default` is one of the default version of the algorithm', async () => {
      const of = await stage.play();
      const { status, body } = await stage.call({ ...of, version_id: 'default' });
      expect(status).to.equal(200);
      expect(body.version_id).to.equal(of.version_id);
    });

    it('names itself in a header', async () => {
      const { headers, body } = await stage.call(await stage.play());
      expect(headers['x-call-id']).to.equal(body.id);
    });

    it('measures the endpoint', async () => {
      const { headers, body } = await stage.call(await stage.play());
      expect(headers['server-timing']).to.equal(`upstream;dur=${(body.response_time * 1000).toFixed(3)}`);
    });

    it('has no params in its record when none were sent', async () => {
      const { body } = await stage.call(await stage.play());
      expect(body.params).to.deep.equal({});
    });

    it('gives input and params back as they were sent', async () => {
      const odd = { '': [null, true, -0.5, 1e21], ключ: '𝒳\u2028"\\/\n', deep: { a: [[[{ b: {} }]]] } };
      const { body } = await stage.call(await stage.play(), { input_data: odd, params: odd });
      expect(body.input_data).to.deep.equal(odd);
      expect(body.params).to.deep.equal(odd);
    });

    it('needs credentials', async () => {
      const { status } = await stage.request('POST', '/algorithms/call', { body: {} });
      expect(status).to.equal(401);
    });

    it('says that its algorithm is deprecated', async () => {
      const of = await stage.play({ algorithm: { status: 'deprecated' } });
      const { body } = await stage.request('GET', `/algorithms/${of.algorithm_id}`);
      const { status, headers } = await stage.call(of);
      expect(status).to.equal(200);
      expect(headers['deprecation']).to.equal(`@${Math.floor(Date.parse(body.updated_at) / 1000)}`);
    });

    it('has no such header for an active algorithm', async () => {
      const { headers } = await stage.call(await stage.play());
      expect(headers).not.to.have.property('deprecation');
    });
  });
});

describe('The endpoint of a call', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    beforeEach(async () => {
      stage = await startStage(engine);
    });
    afterEach(() => stage.stop());

    it('gets input and params by POST, with defaults filled in', async () => {
      const version = {
        url: `${stage.upstream.url}/run?x=1`,
        params: { top: { type: 'integer', default: 5 }, k: { type: 'string' } },
      };
      const { body } = await stage.call(await stage.play({ version }), {
        input_data: { a: 1 },
        params: { k: 'v' },
      });
      const [asked] = stage.upstream.requests;
      expect([asked!.method, asked!.path]).to.deep.equal(['POST', '/run?x=1']);
      expect(asked!.body).to.deep.equal({ input_data: { a: 1 }, params: { k: 'v', top: 5 } });
      expect(body.params).to.deep.equal({ k: 'v' });
    });

    it('gets the ids of the call and the request', async () => {
      const of = await stage.play();
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const { body } = await stage.request('POST', '/algorithms/call', {
        token: stage.alice,
        body: { ...of, input_data: {} },
        headers: { 'x-request-id': 'req-17', traceparent },
      });
      const { headers } = stage.upstream.requests[0]!;
      expect(headers['x-call-id']).to.equal(body.id);
      expect(headers['x-request-id']).to.equal('req-17');
      expect(headers['traceparent']).to.contain('0af7651916cd43dd8448eb211c80319c');
      expect(headers['accept-encoding']).to.equal('identity');
      expect(headers['content-type']).to.equal('application/json');
    });

    it('never sees the credentials of the caller', async () => {
      const of = await stage.play();
      await stage.request('POST', '/algorithms/call', {
        token: stage.alice,
        body: { ...of, input_data: {} },
        headers: { cookie: 'session=1', 'x-forwarded-for': '192.0.2.1' },
      });
      const { headers } = stage.upstream.requests[0]!;
      expect(headers).not.to.have.any.keys('authorization', 'cookie', 'x-api-key', 'x-forwarded-for');
    });

    it('gets one request', async () => {
      await stage.call(await stage.play());
      expect(stage.upstream.requests).to.have.length(1);
    });
  });
});
