import { expect } from 'chai';
import { Problem, type Logger } from '../../../core/index.ts';
import { systemClock } from '../../../core/testing.ts';
import type { CallOutcome, PayloadRule, PreparedCall } from '../../../plugins/invocation/contract.ts';
import type { EmbeddedAlgorithm } from '../../../plugins/samples/contract.ts';
import type { AlgorithmPool } from '../../../plugins/samples/running/pool.ts';
import { EmbeddedTransport } from '../../../plugins/samples/transport.ts';
import { fixture, poolOf } from './support.ts';

const FIXTURES = [
  'echo',
  'bare-value',
  'endless',
  'memory-bomb',
  'huge-output',
  'rejecting',
  'faulty',
  'exiting',
];

function callOf(url: string, input: object, more: Partial<PreparedCall>): PreparedCall {
  return {
    id: 'call-1',
    request: { input_data: input },
    params: { p: 1 },
    callable: { version: { url } },
    ...more,
  } as never;
}

describe('The transport of embedded algorithms', function () {
  this.timeout(30_000);
  let pool: AlgorithmPool;
  let logged: object[];

  const transportOf = (algorithms: readonly EmbeddedAlgorithm[]): EmbeddedTransport => {
    const settings = { seed: true, memory_mb: 448 };
    const logger = { error: (fields: object) => logged.push(fields) } as unknown as Logger;
    return new EmbeddedTransport({ algorithms, pool, settings, clock: systemClock, logger });
  };
  const transport = () =>
    transportOf(FIXTURES.map((name) => ({ id: `test/${name}`, module: fixture(name) })));
  const send = (
    url: string,
    input: object = {},
    timeoutMs = 20_000,
    more: Partial<PreparedCall> = {},
  ): Promise<CallOutcome> =>
    transport().send(callOf(url, input, more), {
      timeoutMs,
      maxOutputBytes: 1000,
      signal: new AbortController().signal,
    });

  beforeEach(() => {
    pool = poolOf();
    logged = [];
  });

  afterEach(() => pool.close());

  it('serves the scheme plugin', () => {
    expect(transport().schemes).to.deep.equal(['plugin']);
  });

  it('accepts the address of an algorithm that is there', () => {
    expect(transport().check(new URL('plugin:test/echo'))).to.equal(undefined);
  });

  for (const url of [
    'plugin:test/nothing',
    'plugin:echo',
    'plugin:test/echo?x=1',
    'plugin://test/echo',
    'plugin:',
  ]) {
    it(`refuses ${url} and lists what there is`, () => {
      const check = () => transport().check(new URL(url));
      expect(check)
        .to.throw(Problem, 'plugin:test/echo, plugin:test/bare-value')
        .with.property('code', 'validation_failed');
      expect(check).to.throw().with.nested.property('extras.errors[0].pointer', '/body/url');
    });
  }

  it('answers the output and the seconds it took', async () => {
    const outcome = await send('plugin:test/echo', { a: 1 });
    expect(outcome).to.deep.include({ ok: true, output: { input: { a: 1 }, params: { p: 1 } } });
    expect(outcome.seconds).to.be.within(0.001, 20);
  });

  it('wraps what is not an object', async () => {
    expect(await send('plugin:test/bare-value')).to.deep.include({ output: { result: [1, 2, 3] } });
  });

  const failures: [string, string, string][] = [
    ['rejecting', 'upstream_rejected', 'The matrix is singular. Leave a column out.'],
    ['faulty', 'upstream_error', 'failed unexpectedly'],
    ['exiting', 'upstream_error', 'failed unexpectedly'],
    ['memory-bomb', 'upstream_error', 'more than 448 MiB of memory'],
  ];
  for (const [name, code, words] of failures) {
    it(`turns what ${name} does into ${code}`, async () => {
      const outcome = await send(`plugin:test/${name}`);
      expect(outcome).to.deep.include({ ok: false, code });
      expect(outcome).to.have.property('message').that.includes(words);
    });
  }

  it('turns an answer that is too large into upstream_bad_response', async () => {
    const outcome = await send('plugin:test/huge-output', { bytes: 2000 });
    expect(outcome).to.deep.include({ ok: false, code: 'upstream_bad_response' });
    expect(outcome).to.have.property('message').that.includes('at most 1000');
  });

  it('turns a deadline into upstream_timeout, with the seconds that were waited', async () => {
    const outcome = await send('plugin:test/endless', {}, 400);
    expect(outcome).to.deep.include({ ok: false, code: 'upstream_timeout' });
    expect(outcome.seconds).to.be.within(0.39, 5);
  });

  it('tells the log, and not the caller, what went wrong inside', async () => {
    const outcome = await send('plugin:test/faulty');
    expect(JSON.stringify(outcome)).to.not.include('secret');
    expect(logged).to.have.length(1);
    expect(logged[0]).to.deep.include({ call_id: 'call-1', url: 'plugin:test/faulty' });
    expect(JSON.stringify(logged)).to.include('a secret path');
  });

  it('logs no words of an embedded algorithm whose payload policy does not keep everything', async () => {
    const drop: PayloadRule = { mode: 'drop', pointers: [] };
    const payloadPolicy = { input_data: drop, params: drop, output_data: drop };
    await send('plugin:test/faulty', {}, 20_000, { payloadPolicy });
    expect(logged).to.deep.equal([{ call_id: 'call-1', url: 'plugin:test/faulty', fault: 'failed' }]);
  });

  it('says that the plugin of an algorithm is not there any more', async () => {
    expect(await send('plugin:gone/algorithm')).to.deep.include({
      ok: false,
      code: 'upstream_unreachable',
      seconds: 0,
    });
  });
});
