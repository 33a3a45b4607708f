import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { definePlugin, routesWith, Type } from '../../../core/index.ts';
import { misnamedVariables } from '../../../core/config/misnamed.ts';
import type { StartupError } from '../../../core/errors/startup-error.ts';
import { coreSettings } from '../../../core/kernel/core-settings.ts';
import { loadConfiguration } from '../../../core/config/load.ts';
import { receiverOf, TracingSettings } from '../../../core/telemetry/tracing-settings.ts';
import { startTestKernel, type TestKernel } from '../../../core/testing.ts';
import { freePort } from '../../support/free-port.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../../support/otlp-receiver.ts';
import { until } from '../../support/until.ts';

const route = routesWith({});
const answers = Type.Object({ traceparent: Type.String() });

const demo = definePlugin({
  id: 'demo',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Answers and fails',
  routes: [
    route({
      method: 'GET',
      path: '/demo',
      operationId: 'demo',
      summary: 'Answers',
      access: 'public',
      answers,
      handle: ({ request }) => ({ traceparent: request.traceparent }),
    }),
    route({
      method: 'GET',
      path: '/broken',
      operationId: 'broken',
      summary: 'Fails',
      access: 'public',
      answers,
      handle: () => {
        throw new Error('planted');
      },
    }),
  ],
});

type Lines = readonly Readonly<Record<string, unknown>>[];

const running: { stop(): Promise<void> }[] = [];

/** A receiver that is stopped after the test. */
async function receiving(options: Parameters<typeof startOtlpReceiver>[0] = {}): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver(options);
  running.push(receiver);
  return receiver;
}

/** A kernel with these settings of tracing, and the lines of its log. */
async function start(tracing: object): Promise<{ kernel: TestKernel; lines: () => Lines }> {
  const texts: string[] = [];
  const kernel = await startTestKernel({
    engine: 'sqlite',
    plugins: [demo],
    settings: { tracing: { ...tracing } },
    log: { write: (line) => void texts.push(line) },
  });
  running.push(kernel);
  return { kernel, lines: () => texts.map((text) => JSON.parse(text) as Record<string, unknown>) };
}

const aboutTraces = (lines: Lines): Lines => lines.filter(({ msg }) => /trace/i.test(String(msg)));

describe('tracing', () => {
  afterEach(async () => {
    // A test that failed leaves its service running.
    for (const one of running.splice(0).toReversed()) await one.stop();
  });

  describe('of requests', () => {
    async function spansOf(work: (kernel: TestKernel) => Promise<unknown>): Promise<readonly ReceivedSpan[]> {
      const receiver = await receiving();
      const { kernel } = await start({ endpoint: receiver.url, protocol: 'http/json' });
      await work(kernel);
      await kernel.stop();
      expect(receiver.requests.map(({ path }) => path)).to.satisfy((paths: string[]) =>
        paths.every((path) => path === '/v1/traces'),
      );
      return receiver.spans;
    }

    it('sends what still waits when the service stops', async () => {
      const spans = await spansOf((kernel) => kernel.request('GET', '/demo'));
      expect(spans.map(({ name }) => name)).to.deep.equal(['GET /api/v1/demo']);
    });

    it('names the service, its version and its instance', async () => {
      const [span] = await spansOf((kernel) => kernel.request('GET', '/demo'));
      expect(span!.resource).to.include({ 'service.name': 'vitrine' });
      expect(span!.resource).to.include.keys('service.version', 'service.instance.id');
    });

    it('gives handlers the span of the request, and the log its trace', async () => {
      let told = '';
      const receiver = await receiving();
      const { kernel, lines } = await start({ endpoint: receiver.url, protocol: 'http/json' });
      told = (await kernel.request('GET', '/demo')).body.traceparent;
      await kernel.stop();
      const [{ traceId, spanId }] = receiver.spans as [ReceivedSpan];
      expect(told).to.equal(`00-${traceId}-${spanId}-01`);
      expect(lines().find(({ msg }) => msg === 'request')!['trace_id']).to.equal(traceId);
    });

    it('marks failures of the service without their messages, and not those of clients', async () => {
      const spans = await spansOf(async (kernel) => {
        for (const path of ['/broken', '/demo?unknown=1', '/nowhere']) await kernel.request('GET', path);
        await kernel.request('PROPFIND', '/demo');
      });
      const told = spans.map(({ name, status, attributes }) => [name, status, attributes['error.type']]);
      expect(told).to.deep.equal([
        ['GET /api/v1/broken', 2, 'internal_error'],
        ['GET /api/v1/demo', 0, 'validation_failed'],
        ['GET', 0, 'route_not_found'],
        ['HTTP', 0, 'method_not_allowed'],
      ]);
      expect(JSON.stringify(spans))
        .not.to.contain('planted')
        .and.not.to.contain('nowhere')
        .and.not.to.contain('PROPFIND');
    });

    it('leaves probes out', async () => {
      const spans = await spansOf(async ({ rootUrl }) => {
        for (const path of ['/livez', '/readyz', '/metrics']) await fetch(rootUrl + path);
      });
      expect(spans).to.deep.equal([]);
    });

    it('writes protobuf unless JSON is asked for', async () => {
      const receiver = await receiving();
      const { kernel } = await start({ endpoint: `${receiver.url}/own/path` });
      await kernel.request('GET', '/demo');
      await kernel.stop();
      const [{ path, headers, bytes }] = receiver.requests as [(typeof receiver.requests)[number]];
      expect([path, headers['content-type']]).to.deep.equal([
        '/own/path/v1/traces',
        'application/x-protobuf',
      ]);
      expect(bytes.toString('latin1')).to.contain('GET /api/v1/demo');
    });
  });

  describe('without its receiver', () => {
    before(() => {
      process.env['OTEL_BSP_SCHEDULE_DELAY'] = '20';
      process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '200';
    });
    after(() => {
      delete process.env['OTEL_BSP_SCHEDULE_DELAY'];
      delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT'];
    });

    it('says so in one line, goes on serving, and says when it is back', async () => {
      const port = await freePort();
      const { kernel, lines } = await start({ endpoint: `http://127.0.0.1:${port}`, protocol: 'http/json' });
      for (let n = 0; n < 5; n += 1) {
        expect((await kernel.request('GET', '/demo')).status).to.equal(200);
        await until(() => aboutTraces(lines()).length > 0);
      }
      const [line, ...others] = aboutTraces(lines());
      expect(others).to.deep.equal([]);
      expect(line).to.include({ level: 'warn', receiver: `http://127.0.0.1:${port}` });
      expect(line!['reason']).to.match(/ECONNREFUSED/);
      expect(line!['msg']).to.contain('OTEL_EXPORTER_OTLP_ENDPOINT');
      const receiver = await receiving({ port });
      await until(async () => {
        await kernel.request('GET', '/demo');
        return receiver.spans.length > 0;
      });
      await kernel.stop();
      expect(aboutTraces(lines()).map(({ level }) => level)).to.deep.equal(['warn', 'info']);
    });

    it('stops cleanly and soon while the receiver does not answer', async () => {
      process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '60000';
      const receiver = await receiving({ answers: false });
      const { kernel, lines } = await start({ endpoint: receiver.url });
      await kernel.request('GET', '/demo');
      const began = performance.now();
      await kernel.stop();
      expect(performance.now() - began).to.be.at.least(1_900);
      // A stop that takes longer than its parts may is not clean.
      expect(lines().at(-1)).to.include({ msg: 'stopped', clean: true });
      expect(receiver.requests).to.have.length(1);
    });
  });

  describe('settings', () => {
    const load = (env: Readonly<Record<string, string>>) =>
      loadConfiguration({ sections: [TracingSettings], files: [], env }).valuesOf(TracingSettings);
    const endpoint = 'https://collector.example.org:4318';

    it('are the variables of OpenTelemetry, and make the address', () => {
      expect(receiverOf(load({}))).to.equal(undefined);
      const whole = `${endpoint}/v1/traces`;
      expect(receiverOf(load({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }))).to.equal(whole);
      expect(receiverOf(load({ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` }))).to.equal(whole);
      expect(load({}).protocol).to.equal('http/protobuf');
    });

    it('are refused where they cannot be used, by their names', () => {
      expect(() => load({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).to.throw(
        /tracing\.endpoint.*http:\/\/ or https:\/\//,
      );
      const account = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:planted@collector' };
      expect(() => load(account))
        .to.throw(/tracing\.endpoint.*OTEL_EXPORTER_OTLP_HEADERS/)
        .that.satisfies(
          ({ message, findings }: StartupError) => !JSON.stringify([message, findings]).includes('planted'),
        );
      const grpc = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
      expect(() => load({ ...grpc, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).to.throw(
        /tracing\.protocol.*"grpc".*http\/protobuf or http\/json/,
      );
    });

    it('that have no effect may have any value, because they may be meant for other programs', () => {
      expect(receiverOf(load({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }))).to.equal(undefined);
    });
  });

  it('has no variable of the SDK called a misspelt setting', () => {
    const names = [
      'EXPORTER_OTLP_HEADERS',
      'EXPORTER_OTLP_TRACES_ENDPOINT',
      'SDK_DISABLED',
      'TRACES_EXPORTER',
      'EXPORTER_OTLP_METRICS_ENDPOINT',
      'EXPORTER_OTLP_LOGS_ENDPOINT',
    ];
    names.push('SERVICE_NAME', 'RESOURCE_ATTRIBUTES', 'TRACES_SAMPLER', 'TRACES_SAMPLER_ARG', 'PROPAGATORS');
    names.push('METRICS_EXPORTER', 'LOGS_EXPORTER', 'BSP_SCHEDULE_DELAY', 'EXPORTER_OTLP_TIMEOUT');
    const env = Object.fromEntries(names.map((name) => [`OTEL_${name}`, 'x']));
    expect(misnamedVariables(coreSettings, env)).to.deep.equal([]);
  });

  it('loads the SDK only where there is a receiver', () => {
    const script = `
      import { createRequire } from 'node:module';
      import { startTestKernel } from './core/testing.ts';
      const counts = [];
      for (const endpoint of ['', 'http://127.0.0.1:9']) {
        const settings = { tracing: { endpoint } };
        await (await startTestKernel({ engine: 'sqlite', plugins: [], settings })).stop();
        const loaded = Object.keys(createRequire(import.meta.url).cache);
        counts.push(loaded.filter((file) => /@opentelemetry.(sdk|exporter|otlp)/.test(file)).length);
      }
      console.log(JSON.stringify(counts));
    `;
    const flags = ['--import=tsx', '--input-type=module', '--eval', script];
    const counts = JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' })) as number[];
    expect(counts[0]).to.equal(0);
    expect(counts[1]).to.be.greaterThan(0);
  });
});
