import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../../support/otlp-receiver.ts';
import { until } from '../../support/until.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startGateway, type GatewayUnderTest } from './support.ts';

const CLIENT_SPAN = 'b7ad6b7169203331';
const REQUEST = 'POST /api/v1/gateway/call';
/** The SDK reads its delay, 5 s by default, from the environment. */
const DELAY = 'OTEL_BSP_SCHEDULE_DELAY';

describe('The trace of a call', () => {
  before(() => void (process.env[DELAY] = '20'));
  after(() => void delete process.env[DELAY]);

  onEveryEngine((engine) => {
    let receiver: OtlpReceiver;
    let upstream: Upstream;
    let gateway: GatewayUnderTest;
    let trace: string;
    before(async () => {
      receiver = await startOtlpReceiver();
      upstream = await startUpstream(({ path, body }, response) => {
        if (path.startsWith('/broken')) return void response.writeHead(500).end('planted');
        return { echo: body.input_data };
      });
      const tracing = { endpoint: receiver.url, protocol: 'http/json' };
      gateway = await startGateway(engine, { upstream, settings: { tracing } });
    });
    after(async () => {
      await gateway.stop();
      await receiver.stop();
    });
    beforeEach(async () => {
      await gateway.renew();
      upstream.requests.length = 0;
      trace = randomBytes(16).toString('hex');
    });

    /** Calls in a trace of the client. */
    const call = (more: object = {}, flags = '01') =>
      gateway.request('POST', '/gateway/call', {
        token: gateway.caller.token,
        body: gateway.body(more),
        headers: { traceparent: `00-${trace}-${CLIENT_SPAN}-${flags}` },
      });

    /** The spans of that trace. The one of the request ends last. */
    async function spansOfCall(): Promise<readonly ReceivedSpan[]> {
      const ofTrace = () => receiver.spans.filter(({ traceId }) => traceId === trace);
      await until(() => ofTrace().some(({ kind }) => kind === 2));
      return ofTrace();
    }

    async function spanOfCall(name: string): Promise<ReceivedSpan> {
      const spans = await spansOfCall();
      const found = spans.filter((span) => span.name === name);
      expect(found, `${name}, of ${spans.map((span) => span.name).join(', ')}`).to.have.length(1);
      return found[0]!;
    }

    it('has the request, each step of the guard, the endpoint and the store, each below its parent', async () => {
      await call();
      const spans = await spansOfCall();
      const parents = spans.map(({ name, parentSpanId }) => [
        name,
        spans.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId,
      ]);
      expect(parents).to.have.deep.members([
        [REQUEST, CLIENT_SPAN],
        ['guard gateway receive', REQUEST],
        ['guard gateway choose', REQUEST],
        ['guard gateway admit', REQUEST],
        ['guard gateway around', REQUEST],
        ['endpoint', 'guard gateway around'],
        ['store', REQUEST],
      ]);
      expect((await spanOfCall('endpoint')).kind).to.equal(3);
    });

    it('goes on at the endpoint, below its span', async () => {
      await call();
      const { spanId } = await spanOfCall('endpoint');
      expect(upstream.requests.map(({ headers }) => headers['traceparent'])).to.deep.equal([
        `00-${trace}-${spanId}-01`,
      ]);
    });

    it('keeps calls apart that are made, and stored, at the same time', async () => {
      const calls = await Promise.all(Array.from({ length: 8 }, () => gateway.call()));
      const ids: unknown[] = calls.map(({ body }) => body.id);
      const ofCalls = () =>
        receiver.spans.filter(({ attributes }) => ids.includes(attributes['vitrine.call_id']));
      await until(() => ofCalls().length === 16);
      for (const id of ids) {
        const own = ofCalls().filter(({ attributes }) => attributes['vitrine.call_id'] === id);
        expect(own.map(({ name }) => name)).to.have.members(['endpoint', 'store']);
        expect(own[0]!.traceId).to.equal(own[1]!.traceId);
      }
      expect(new Set(ofCalls().map(({ traceId }) => traceId)).size).to.equal(8);
    });

    it('names ids, the route and the status', async () => {
      const { headers, body } = await call();
      expect((await spanOfCall(REQUEST)).attributes).to.deep.equal({
        'http.request.method': 'POST',
        'http.route': '/api/v1/gateway/call',
        'http.response.status_code': 200,
        'vitrine.plugin': 'gateway',
        'vitrine.request_id': headers['x-request-id'],
      });
      expect((await spanOfCall('endpoint')).attributes).to.deep.equal({
        'vitrine.call_id': body.id,
        'vitrine.algorithm_id': body.algorithm_id,
        'vitrine.version_id': body.version_id,
        'url.scheme': 'http',
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(upstream.url).port),
      });
    });

    it('has no payload, no token and no query', async () => {
      const { token } = gateway.caller;
      const target = await gateway.addAlgorithm({ url: `${upstream.url}/broken/planted?key=planted` });
      await gateway.request('GET', '/algorithms?q=planted', { token });
      await gateway.request('GET', '/planted/planted?planted=planted', { token });
      await gateway.request('GET', '/algorithms', { token: 'planted' });
      await gateway.request('POST', '/users/login', { body: { username: 'planted', password: 'planted' } });
      await call({ ...target, input_data: { text: 'planted' }, params: { text: 'planted' } });
      await spansOfCall();
      const sent = Buffer.concat(receiver.requests.map(({ bytes }) => bytes)).toString();
      for (const secret of ['planted', token, gateway.adminToken]) expect(sent).not.to.contain(secret);
    });

    it('says how the endpoint failed', async () => {
      await call(await gateway.addAlgorithm({ url: `${upstream.url}/broken` }));
      const { status, attributes } = await spanOfCall('endpoint');
      expect([status, attributes['error.type']]).to.deep.equal([2, 'upstream_error']);
      // The call itself is answered 200 with a record of the failure.
      expect((await spanOfCall(REQUEST)).status).to.equal(0);
    });

    it('says with which problem a guard refused the call, which is no failure of the service', async () => {
      const rule = { subject: 'user', value: gateway.caller.id, reason: 'Too curious.' };
      await gateway.manage('POST', '/gateway/blocks', rule);
      await call();
      for (const name of [REQUEST, 'guard gateway receive']) {
        const { status, attributes } = await spanOfCall(name);
        expect([status, attributes['error.type']]).to.deep.equal([0, 'blocked']);
      }
      expect((await spansOfCall()).map(({ name }) => name)).not.to.include('endpoint');
    });

    it('is not sent where the client does not want it, and is handed on so', async () => {
      await call({}, '00');
      expect(upstream.requests[0]!.headers['traceparent']).to.match(
        new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`),
      );
      const first = trace;
      trace = randomBytes(16).toString('hex');
      await call();
      await spansOfCall();
      expect(receiver.spans.filter(({ traceId }) => traceId === first)).to.deep.equal([]);
    });
  });
});
