import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.ts';
import { clientOf } from '../support/service-client.ts';
import { startService, type ServiceProcess } from '../support/service-process.ts';

const CLIENT_SPAN = 'b7ad6b7169203331';
const CALLS = 40;

describe('traces of several processes', () => {
  let receiver: OtlpReceiver;
  let scratches: Scratch[];
  let services: ServiceProcess[];
  beforeEach(async () => {
    receiver = await startOtlpReceiver();
    [scratches, services] = [[], []];
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    await Promise.all(scratches.map((scratch) => scratch.remove()));
    await receiver.stop();
  });

  async function start(
    engine: 'sqlite' | 'postgres',
    name: string,
    options: readonly string[] = [],
  ): Promise<ServiceProcess> {
    const scratch = await makeScratch(engine);
    scratches.push(scratch);
    const env = {
      DATA_DIR: scratch.dataDir,
      DATABASE_URL: scratch.databaseUrl,
      SAMPLES_SEED: 'false',
      GATEWAY_RATE_LIMIT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20receiver-token',
      OTEL_SERVICE_NAME: name,
    };
    const service = await startService(env, options);
    services.push(service);
    return service;
  }

  /** Makes calls of an endpoint, each in a trace of its own, and returns the ids of the traces. */
  async function callsOf(service: ServiceProcess, url: string, count: number): Promise<readonly string[]> {
    const client = clientOf(service.url);
    const token = await client.signUp('ada');
    const body = { name: 'Echo', description: 'Says it again', type: 'demo' };
    const { id: algorithm_id } = await client.ok('POST', '/algorithms', { token, body });
    const { id: version_id } = await client.ok('POST', `/algorithms/${algorithm_id}/versions`, {
      token,
      body: { version: '1', url },
    });
    const traces = Array.from({ length: count }, () => randomBytes(16).toString('hex'));
    await Promise.all(
      traces.map((trace) =>
        // A client of its own, whose connection any worker may get.
        clientOf(service.url).ok('POST', '/algorithms/call', {
          token,
          body: { algorithm_id, version_id, input_data: {} },
          headers: { traceparent: `00-${trace}-${CLIENT_SPAN}-01`, connection: 'close' },
        }),
      ),
    );
    return traces;
  }

  const spansOf = (trace: string): readonly ReceivedSpan[] =>
    receiver.spans.filter(({ traceId }) => traceId === trace);

  it('come from every worker, each call whole and from one of them', async () => {
    const service = await start('postgres', 'showcase', ['--workers', '2']);
    const traces = await callsOf(service, `${service.url}/livez`, CALLS);
    expect((await service.end()).code).to.equal(0);
    const instances = new Set<unknown>();
    for (const trace of traces) {
      const spans = spansOf(trace);
      const [request] = spans.filter(({ parentSpanId }) => parentSpanId === CLIENT_SPAN);
      expect(request!.name).to.equal('POST /api/v1/algorithms/call');
      const parents = new Map(spans.map(({ spanId, name }) => [spanId, name]));
      const below = spans.map(({ name, parentSpanId }) => [name, parents.get(parentSpanId!)]);
      expect(below).to.deep.include(['endpoint', 'guard gateway around']);
      expect(below).to.deep.include(['store', request!.name]);
      const own = new Set(spans.map(({ resource }) => resource['service.instance.id']));
      expect(own.size).to.equal(1);
      instances.add([...own][0]);
    }
    expect(instances.size).to.equal(2);
    expect(new Set(receiver.spans.map(({ resource }) => resource['service.name']))).to.deep.equal(
      new Set(['showcase']),
    );
    for (const { headers } of receiver.requests) {
      expect(headers['authorization']).to.equal('Bearer receiver-token');
    }
  });

  it('go through from one service to another one that is its endpoint', async () => {
    const behind = await start('sqlite', 'behind');
    const front = await start('sqlite', 'front');
    const [trace] = await callsOf(front, `${behind.url}/api/v1/algorithms`, 1);
    for (const service of [front, behind]) expect((await service.end()).code).to.equal(0);
    const spans = spansOf(trace!);
    const [there] = spans.filter(({ resource }) => resource['service.name'] === 'behind');
    const [endpoint] = spans.filter(({ name }) => name === 'endpoint');
    expect(there!.parentSpanId).to.equal(endpoint!.spanId);
    expect(there!.attributes['http.response.status_code']).to.equal(401);
    expect(endpoint!.resource['service.name']).to.equal('front');
  });
});
