import { expect } from 'chai';
import { NotReady } from '../../../core/index.ts';
import type { AlgorithmPool } from '../../../plugins/samples/running/pool.ts';
import { until } from '../../support/until.ts';
import { job, poolOf, runIn } from './support.ts';

describe('The pool of workers', function () {
  this.timeout(30_000);
  let pool: AlgorithmPool;

  beforeEach(() => {
    pool = poolOf();
  });

  afterEach(() => pool.close());

  it('starts no worker before there is something to run', () => {
    expect(pool.workers).to.equal(0);
  });

  it('answers what the algorithm answers', async () => {
    const verdict = await runIn(pool, job('echo', { input: { a: [1] }, params: { b: 2 } }));
    expect(verdict).to.deep.equal({ kind: 'done', json: '{"input":{"a":[1]},"params":{"b":2}}' });
  });

  it('keeps a worker for the next job', async () => {
    const pids = [await runIn(pool, job('process-id')), await runIn(pool, job('process-id'))];
    expect(pids[0]).to.have.property('kind', 'done');
    expect(pids[0]).to.deep.equal(pids[1]);
  });

  it('ends a worker that has been idle for long', async () => {
    pool = poolOf({ idleMs: 20 });
    await runIn(pool, job('echo'));
    await until(() => pool.workers === 0);
  });

  it('replaces a worker that a job has left bloated', async () => {
    const pids = [await runIn(pool, job('hoarding')), await runIn(pool, job('hoarding'))];
    expect(pids.map(({ kind }) => kind)).to.deep.equal(['done', 'done']);
    expect(pids[0]).to.not.deep.equal(pids[1]);
  });

  it('ends an endless algorithm at its deadline and serves the next job', async () => {
    expect(await runIn(pool, job('endless'), 300)).to.deep.equal({ kind: 'timeout' });
    expect(await runIn(pool, job('echo'))).to.have.property('kind', 'done');
  });

  it('ends an algorithm that awaits for ever at its deadline', async () => {
    expect(await runIn(pool, job('asleep'), 300)).to.deep.equal({ kind: 'timeout' });
  });

  it('ends an algorithm whose caller went away', async () => {
    const caller = new AbortController();
    const verdict = pool.run(job('endless'), { timeoutMs: 20_000, signal: caller.signal });
    setTimeout(() => caller.abort(), 200);
    expect(await verdict).to.deep.equal({ kind: 'aborted' });
  });

  it('ends an algorithm for which the service waits no longer', async () => {
    const service = new AbortController();
    const verdict = pool.run(job('endless'), { timeoutMs: 20_000, signal: service.signal });
    setTimeout(() => service.abort(NotReady('The service stopped.')), 200);
    expect(await verdict).to.deep.equal({ kind: 'stopped' });
  });

  it('does not start for a caller who is gone already', async () => {
    const verdict = await pool.run(job('echo'), { timeoutMs: 20_000, signal: AbortSignal.abort() });
    expect([verdict.kind, pool.workers]).to.deep.equal(['aborted', 0]);
  });

  for (const bomb of ['memory-bomb', 'map-bomb', 'buffer-bomb']) {
    it(`ends an algorithm that eats memory (${bomb}) and serves the next job`, async () => {
      expect(await runIn(pool, job(bomb))).to.deep.equal({ kind: 'out-of-memory' });
      expect(await runIn(pool, job('echo'))).to.have.property('kind', 'done');
    });
  }

  it('survives an algorithm that exits', async () => {
    expect(await runIn(pool, job('exiting'))).to.deep.include({ kind: 'crashed' });
    expect(await runIn(pool, job('echo'))).to.have.property('kind', 'done');
  });

  it('refuses an answer that is too large without handing it over', async () => {
    const verdict = await runIn(pool, job('huge-output', { input: { bytes: 5_000_000 } }));
    expect(verdict).to.deep.equal({ kind: 'too-large', bytes: 5_000_011 });
  });

  it('hands on the words of an algorithm that refuses its input', async () => {
    const verdict = await runIn(pool, job('rejecting'));
    expect(verdict).to.deep.equal({
      kind: 'rejected',
      message: 'The matrix is singular. Leave a column out.',
    });
  });

  it('tells a fault of the algorithm from a refusal', async () => {
    expect(await runIn(pool, job('faulty'))).to.have.property('kind', 'failed');
  });

  it('counts an answer of nothing as a fault', async () => {
    expect(await runIn(pool, job('silent'))).to.have.property('kind', 'failed');
  });

  it('shows algorithms nothing of the environment', async () => {
    expect(await runIn(pool, job('environment'))).to.deep.equal({ kind: 'done', json: '{"names":[]}' });
  });

  it('runs no more jobs at once than it has workers, and lets a few wait', async () => {
    pool = poolOf({ size: 2 });
    const verdicts = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => runIn(pool, job('echo', { input: { n } }))),
    );
    expect(verdicts.map(({ kind }) => kind)).to.deep.equal(Array(5).fill('done'));
    expect(pool.workers).to.equal(2);
  });

  it('refuses a job when too many wait', async () => {
    pool = poolOf({ queueLimit: 1 });
    const first = runIn(pool, job('endless'), 500);
    const second = runIn(pool, job('echo'));
    expect(await runIn(pool, job('echo'))).to.deep.equal({ kind: 'busy', waiting: 1 });
    expect([(await first).kind, (await second).kind]).to.deep.equal(['timeout', 'done']);
  });

  it('counts the time of waiting against the deadline', async () => {
    const blocking = runIn(pool, job('endless'), 1500);
    expect(await runIn(pool, job('echo'), 100)).to.deep.equal({ kind: 'timeout' });
    await blocking;
  });

  it('answers what runs and what waits when it is closed, and takes nothing afterwards', async () => {
    const running = runIn(pool, job('endless'));
    const waiting = runIn(pool, job('echo'));
    await pool.close();
    const verdicts = [await running, await waiting, await runIn(pool, job('echo'))];
    expect(verdicts.map(({ kind }) => kind)).to.deep.equal(['stopped', 'stopped', 'stopped']);
    expect(pool.workers).to.equal(0);
  });
});
