import { expect } from 'chai';
import { coreRoutes } from '../../../core/http/core-routes.ts';
import { httpMetrics } from '../../../core/http/request-log.ts';
import type { HealthReport } from '../../../core/telemetry/health.ts';
import { createMetrics } from '../../../core/telemetry/prometheus.ts';
import { startServer, type TestServer } from './support.ts';

describe('the operations of the kernel', () => {
  let server: TestServer;
  let ready = true;
  let report: HealthReport = { state: 'healthy', findings: {} };
  before(async () => {
    const metrics = createMetrics(httpMetrics);
    const health = { report: () => Promise.resolve(report) };
    server = await startServer([], { mounted: coreRoutes({ ready: () => ready, health, metrics }), metrics });
  });
  beforeEach(() => {
    ready = true;
    report = { state: 'healthy', findings: { database: { state: 'healthy' } } };
  });
  after(() => server.close());

  it('report that the process is alive, even when it is not ready', async () => {
    ready = false;
    expect((await server.request('GET', '//livez')).status).to.equal(200);
  });

  it('report that it is ready', async () => {
    const answer = await server.request('GET', '//readyz');
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.equal({ status: 'ready' });
  });

  it('report that it is not ready while starting and stopping', async () => {
    ready = false;
    const answer = await server.request('GET', '//readyz');
    expect(answer.status).to.equal(503);
    expect(answer.body.code).to.equal('not_ready');
    expect(answer.headers.get('retry-after')).to.equal('1');
  });

  it('report that it is not ready when a check is unhealthy', async () => {
    report = { state: 'unhealthy', findings: { database: { state: 'unhealthy', detail: 'away' } } };
    const answer = await server.request('GET', '//readyz?verbose');
    expect(answer.status).to.equal(503);
    expect(answer.body.findings.database.detail).to.equal('away');
  });

  it('stay ready when something is merely degraded', async () => {
    report = { state: 'degraded', findings: {} };
    expect((await server.request('GET', '//readyz')).status).to.equal(200);
  });

  it('show every finding on request', async () => {
    const answer = await server.request('GET', '//readyz?verbose');
    expect(answer.body.findings).to.deep.equal({ database: { state: 'healthy' } });
  });

  it('expose metrics with the duration of requests by template', async () => {
    await server.request('GET', '//livez');
    const answer = await server.request('GET', '//metrics');
    expect(answer.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    expect(answer.text).to.match(
      /http_server_request_duration_seconds_count\{method="GET",route="\/livez",status="200"\} [1-9]/,
    );
  });

  it('are logged at debug level only', () => {
    expect(server.lines.filter(({ level }) => level === 'info')).to.deep.equal([]);
    expect(server.lines.filter(({ level }) => level === 'debug')).not.to.deep.equal([]);
  });
});
