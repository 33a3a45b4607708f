import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { makeScratch, type Scratch, type TestResponse } from '../../core/testing.ts';
import { clientOf } from '../support/service-client.ts';
import { runCommand, startService, type ServiceProcess } from '../support/service-process.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';

const CALLS = 60;

describe('several worker processes', () => {
  let scratch: Scratch;
  let upstream: Upstream;
  let service: ServiceProcess;
  let token: string;
  let version: { algorithm_id: string; version_id: string };
  let made = 0;
  before(async () => {
    scratch = await makeScratch('postgres');
    upstream = await startUpstream();
    service = await start();
    const client = clientOf(service.url);
    token = await client.signUp('ada');
    const body = { name: 'Echo', description: 'Says it again', type: 'demo' };
    const { id: algorithm_id } = await client.ok('POST', '/algorithms', { token, body });
    const { id: version_id } = await client.ok('POST', `/algorithms/${algorithm_id}/versions`, {
      token,
      body: { version: '1', url: upstream.url },
    });
    version = { algorithm_id, version_id };
  });
  after(async () => {
    await service.end('SIGKILL');
    await upstream.stop();
    await scratch.remove();
  });

  function start(): Promise<ServiceProcess> {
    const env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, SAMPLES_SEED: 'false' };
    return startService({ ...env, GATEWAY_RATE_LIMIT: '0' }, ['--workers', '2']);
  }

  /** Calls at once, over connections that both workers get. */
  async function call(count: number): Promise<void> {
    const one = (n: number): Promise<TestResponse> =>
      clientOf(service.url).request('POST', '/algorithms/call', {
        token,
        body: { ...version, input_data: { n } },
      });
    const answers = await Promise.all(Array.from({ length: count }, (_, n) => one(n)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: count }, () => 200));
    made += count;
  }

  /** Scrapes on a new connection, which may be handed to a worker that hangs: then another one. */
  async function scrape(): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const options = { headers: { connection: 'close' }, signal: AbortSignal.timeout(4_000) };
      try {
        return await (await fetch(`${service.url}/metrics`, options)).text();
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }

  /** The lines of a metric: labels and figure. */
  const linesOf = (text: string, name: string): string[] =>
    text.split('\n').filter((line) => new RegExp(`^${name}[ {]`).test(line));
  const figure = (text: string, name: string): number =>
    linesOf(text, name).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);

  /** The processes that the service started. */
  async function workers(): Promise<number[]> {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
    const pairs = stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/ +/).map(Number));
    return pairs.filter(([, parent]) => parent === service.child.pid).map(([pid]) => pid!);
  }

  function killIfAlive(worker: number): void {
    try {
      process.kill(worker, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  it('share one port and one PostgreSQL, and count together', async () => {
    await call(CALLS);
    const { total_calls } = await clientOf(service.url).ok('GET', '/history/statistics', { token });
    expect(total_calls).to.equal(made);
  });

  it('tell the figures of all in one scrape, whichever is asked', async () => {
    await call(CALLS);
    for (let n = 0; n < 4; n += 1) {
      const text = await scrape();
      expect(figure(text, 'calls_total')).to.equal(made);
      expect(figure(text, 'call_duration_seconds_count')).to.equal(made);
      expect(
        linesOf(text, 'process_resident_memory_bytes').map((line) => line.split(' ')[0]),
      ).to.have.members([
        'process_resident_memory_bytes{worker="1"}',
        'process_resident_memory_bytes{worker="2"}',
      ]);
      expect([figure(text, 'vitrine_workers'), figure(text, 'vitrine_workers_missing')]).to.deep.equal([
        2, 0,
      ]);
    }
  });

  it('say so while one hangs, and lose nothing of what it counted', async () => {
    await call(CALLS);
    await scrape();
    const [one] = await workers();
    process.kill(one!, 'SIGSTOP');
    const text = await scrape();
    process.kill(one!, 'SIGCONT');
    expect(figure(text, 'vitrine_workers_missing')).to.equal(1);
    expect(linesOf(text, 'process_resident_memory_bytes')).to.have.length(1);
    const after = await scrape();
    expect(figure(after, 'vitrine_workers_missing')).to.equal(0);
    expect(figure(after, 'calls_total')).to.equal(made);
  });

  it('count from zero in a worker that took the place of another', async () => {
    await call(CALLS);
    const ofTwo = (text: string): number =>
      linesOf(text, 'calls_total')
        .filter((line) => line.includes('worker="2"'))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    const kept = ofTwo(await scrape());
    const [one] = await workers();
    process.kill(one!, 'SIGKILL');
    let text: string;
    do {
      await pause(100);
      text = await scrape();
    } while (figure(text, 'vitrine_workers_missing') > 0);
    // Prometheus takes the figures of the new one for a restart of that worker alone.
    expect([made - kept, kept]).to.include(figure(text, 'calls_total'));
  });

  it('stop in order', async () => {
    expect((await service.end()).code).to.equal(0);
  });

  it('stop also while all of them wait to be replaced', async () => {
    service = await start();
    // Again, for one that was replaced before the other one was gone would stay.
    for (let left = await workers(); left.length > 0; left = await workers()) {
      for (const worker of left) killIfAlive(worker);
      await pause(5);
    }
    expect((await service.end()).code).to.equal(0);
  });

  it('stop in order as soon as the first of them serves, while the other one still starts', async () => {
    for (let round = 0; round < 3; round += 1) {
      service = await start();
      expect((await service.end()).code).to.equal(0);
    }
  });
});

describe('several worker processes', () => {
  it('are refused on SQLite, with the way out', async () => {
    const scratch = await makeScratch('sqlite');
    const env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl };
    const { code, stderr } = await runCommand(['start', '--workers', '2'], env);
    await scratch.remove();
    expect(code).to.equal(1);
    expect(stderr).to.include('DATABASE_URL').and.include('postgres://');
  });

  it('are a whole number', async () => {
    expect((await runCommand(['start', '--workers', 'many'], {})).code).to.equal(2);
  });
});
