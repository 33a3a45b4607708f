import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { until } from '../../support/until.ts';
import { holding, probing } from './holding-fixture.ts';
import { things } from './routes-fixture.ts';
import { openSocket, startServer, type TestServer } from './support.ts';

const route = routesWith({});

const postedProbe = route({
  method: 'POST',
  path: '/posted-probe',
  operationId: 'postedProbe',
  summary: 'Tells that it lives, with a body',
  access: 'anonymous',
  probe: true,
  body: jsonObject(),
  answers: jsonObject(),
  handle: () => ({ status: 'healthy' }),
});

describe('the limit of requests in flight', () => {
  let server: TestServer;
  let release: () => void;
  beforeEach(async () => {
    const gate = new Promise<void>((resolve) => (release = resolve));
    const hold = holding(async () => {
      await gate;
      return {};
    });
    const probe = probing('health', () => Promise.resolve({ status: 'healthy' }));
    server = await startServer([...things, hold, probe, postedProbe], { settings: { max_in_flight: 2 } });
  });
  afterEach(() => server.close());

  it('refuses at once with Retry-After, still answers probes, and recovers', async () => {
    const held = [server.request('GET', '/hold'), server.request('GET', '/hold')];
    await until(() => server.inFlight() >= 2);
    const refused = await server.request('GET', '/things');
    const probed = await server.request('GET', '/health');
    release();
    expect(refused.status).to.equal(503);
    expect(refused.body.code).to.equal('overloaded');
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect(probed.status).to.equal(200);
    expect((await Promise.all(held)).map(({ status }) => status)).to.deep.equal([200, 200]);
    expect((await server.request('GET', '/things')).status).to.equal(200);
    expect(server.inFlight()).to.equal(0);
  });

  it('is not changed by probes with bodies', async () => {
    for (let asked = 0; asked < 3; asked += 1) {
      expect((await server.request('POST', '/posted-probe', { json: {} })).status).to.equal(200);
    }
    expect(server.inFlight()).to.equal(0);
  });

  it('refuses with a whole problem document that names path and request, and no body for HEAD', async () => {
    const full = await startServer([...things], { settings: { max_in_flight: 0 } });
    const refused = await full.request('GET', '/things/7?a=1');
    const head = await full.request('HEAD', '/things/7');
    const { text } = await full.metrics.expose();
    await full.close();
    expect(refused.headers.get('content-type')).to.equal('application/problem+json');
    expect(refused.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(refused.body).to.deep.include({
      type: 'urn:vitrine:problem:overloaded',
      status: 503,
      instance: '/api/v1/things/7',
      request_id: refused.headers.get('x-request-id'),
    });
    expect(head.status).to.equal(503);
    expect(text).to.match(/^http_server_refused_requests_total 2$/m);
  });

  it('echoes the id of a refused request, and lets the pages of configured origins read the refusal', async () => {
    const settings = { max_in_flight: 0, cors_origins: ['https://page.example'] };
    const full = await startServer(things, { settings });
    const headers = { 'X-Request-Id': 'mine-1', Origin: 'https://page.example' };
    const refused = await full.request('GET', '/things/7', { headers });
    await full.close();
    expect(refused.status).to.equal(503);
    expect(refused.headers.get('x-request-id')).to.equal('mine-1');
    expect(refused.headers.get('access-control-allow-origin')).to.equal('https://page.example');
  });

  it('does not count those whose bodies are still arriving', async () => {
    const head = 'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n';
    const slow = await Promise.all(Array.from({ length: 5 }, () => openSocket(server.port)));
    for (const socket of slow) socket.write(head);
    await pause(50);
    expect((await server.request('GET', '/things')).status).to.equal(200);
    for (const socket of slow) socket.destroy();
    await pause(50);
    expect(server.inFlight()).to.equal(0);
  });
});
