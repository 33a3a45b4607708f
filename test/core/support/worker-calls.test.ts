import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { WorkerCalls, WorkerLost, type WorkerCallsOptions } from '../../../core/support/worker-calls.ts';
import { workerEntry } from '../../../core/support/worker-thread.ts';
import type { Sum } from './calculator-worker.ts';

const here = import.meta.url;

describe('calls of a worker thread', () => {
  let lost: Error[];
  let calls: WorkerCalls<Sum, number>;
  function calculator(more: Partial<WorkerCallsOptions> = {}): WorkerCalls<Sum, number> {
    const options = { module: './calculator-worker', callerUrl: here, data: 100, ...more };
    return (calls = new WorkerCalls({ ...options, lost: (error) => void lost.push(error) }));
  }
  beforeEach(() => {
    lost = [];
  });
  afterEach(() => calls.end());

  it('are answered, each with its own answer', async () => {
    calculator();
    expect(await Promise.all([calls.ask([1]), calls.ask([2, 3]), calls.ask([])])).to.deep.equal([
      101, 105, 100,
    ]);
  });

  it('throw what was thrown there, with its code, and go on', async () => {
    calculator();
    const failed: unknown = await calls.ask('throw').catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Error).and.include({ message: 'That is no sum.', code: 'NO_SUM' });
    expect(await calls.ask([1])).to.equal(101);
    expect(lost).to.deep.equal([]);
  });

  it('fail when the thread dies, which is reported once, and the next order starts another thread', async () => {
    calculator();
    const both = await Promise.allSettled([calls.ask('exit'), calls.ask([1])]);
    expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect((both[0] as PromiseRejectedResult).reason).to.be.instanceOf(WorkerLost);
    expect(lost.map(({ message }) => message)).to.deep.equal(['the worker ended with code 3']);
    expect(await calls.ask([1])).to.equal(101);
  });

  it('fail when the module cannot be loaded', async () => {
    calculator({ module: './missing' });
    expect(await calls.ask([1]).catch((error: unknown) => error)).to.be.instanceOf(WorkerLost);
    expect(lost).to.have.length(1);
  });

  it('are all answered before the thread is ended, which is no loss', async () => {
    calculator();
    const answers = Promise.all([calls.ask([1]), calls.ask([2])]);
    await calls.end();
    expect(await answers).to.deep.equal([101, 102]);
    expect(lost).to.deep.equal([]);
  });

  /** What a process of its own says, which nothing else keeps alive. */
  function saidBy(script: string): string {
    const source = `
      import { WorkerCalls } from ${JSON.stringify(workerEntry('../../../core/support/worker-calls', here).filename)};
      const options = { module: './calculator-worker', callerUrl: ${JSON.stringify(here)}, data: 1, lost: console.error };
      const calls = new WorkerCalls(options);
      ${script}
    `;
    const loader = here.endsWith('.ts') ? ['--import', 'tsx'] : [];
    const words = [...loader, '--input-type=module', '-e', source];
    const cwd = fileURLToPath(new URL('../../..', here));
    return execFileSync(process.execPath, words, { cwd, encoding: 'utf8', timeout: 20_000 });
  }

  it('keep a process alive until they are answered, and no longer', () => {
    expect(saidBy('console.log(await calls.ask([2]));')).to.equal('3\n');
  }).timeout(30_000);

  it('keep a process alive until the thread has ended, when it was told to', () => {
    const script = "const answer = calls.ask([2]); await calls.end(); console.log('ended', await answer);";
    expect(saidBy(script)).to.equal('ended 3\n');
  }).timeout(30_000);
});
