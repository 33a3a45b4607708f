import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { EgressPurpose } from '../../../core/egress/egress.ts';
import { Ending } from '../../../core/egress/ending.ts';
import { LargeAnswers } from '../../../core/egress/large-answers.ts';
import { egressWith, failureOf, get, startHttpServer, type TestServer } from './servers.ts';

const MIB = 1024 * 1024;

describe('the semaphore of large answers', () => {
  const patient = new Ending();
  let large: LargeAnswers;
  let granted: string[];
  let release: Record<string, () => void>;
  beforeEach(() => {
    large = new LargeAnswers(8 * MIB);
    granted = [];
    release = {};
  });

  /** Reserves memory under a name of the form `source:answer`. */
  async function reserve(name: string, bytes: number, ending = patient): Promise<void> {
    const giveBack = await large.reserve(name.split(':')[0]!, bytes, ending);
    granted.push(name);
    release[name] = giveBack;
  }
  const turn = () => sleep(1);

  it('grants what fits, and the rest in order when memory is released', async () => {
    for (const name of ['a:1', 'b:1', 'c:1', 'd:1']) void reserve(name, 4 * MIB);
    await turn();
    expect(granted).to.deep.equal(['a:1', 'b:1']);
    release['b:1']!();
    await turn();
    expect(granted).to.deep.equal(['a:1', 'b:1', 'c:1']);
  });

  it('grants a source at most half, and lets others pass', async () => {
    for (const name of ['a:1', 'a:2', 'b:1']) void reserve(name, 3 * MIB);
    await turn();
    expect(granted).to.deep.equal(['a:1', 'b:1']);
    release['a:1']!();
    await turn();
    expect(granted).to.deep.equal(['a:1', 'b:1', 'a:2']);
  });

  it('lets no small answer overtake a larger one of another source', async () => {
    void reserve('a:1', 4 * MIB);
    void reserve('b:1', 2 * MIB);
    void reserve('c:1', 4 * MIB);
    void reserve('d:1', 1 * MIB);
    await turn();
    expect(granted).to.deep.equal(['a:1', 'b:1']);
  });

  it('counts an answer that may need more than half as half', async () => {
    void reserve('a:1', 100 * MIB);
    void reserve('b:1', 100 * MIB);
    await turn();
    expect(granted).to.deep.equal(['a:1', 'b:1']);
  });

  it('removes an answer whose exchange ends while it waits', async () => {
    const deadline = new Ending();
    void reserve('a:1', 4 * MIB);
    void reserve('b:1', 2 * MIB);
    const failed = failureOf(reserve('c:1', 4 * MIB, deadline));
    void reserve('d:1', 2 * MIB);
    const reason = new Error('The deadline passed.');
    deadline.abort(reason);
    expect(await failed).to.equal(reason);
    await turn();
    expect(granted).to.deep.equal(['a:1', 'b:1', 'd:1']);
  });
});

describe('large answers', () => {
  const body = Buffer.alloc(2 * MIB, 'abcdefghij');
  const maxBytes = 8 * MIB;
  let server: TestServer;
  let egress: ReturnType<typeof egressWith>;
  beforeEach(async () => {
    egress = egressWith({ allow: ['127.0.0.1'] }, undefined, 16 * MIB);
    server = await startHttpServer(({ url = '' }, response) => {
      response.write(body);
      if (!url.startsWith('/stalled')) response.end(body);
    });
  });
  afterEach(async () => {
    await egress.close();
    await server.stop();
  });

  const ask = (path: string, purpose: EgressPurpose = 'endpoint', timeoutMs = 20_000) =>
    egress.request(get(`http://127.0.0.1:${server.port}${path}`, purpose, { maxBytes, timeoutMs }));

  it('all arrive whole when there are many', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask('/whole')));
    const whole = Buffer.concat([body, body]);
    expect(answers.map((answer) => answer.body.equals(whole))).to.deep.equal(Array(30).fill(true));
  }).timeout(30_000);

  it('of an endpoint that stalls do not block those of another', async () => {
    const stalled = Array.from({ length: 5 }, () => failureOf(ask('/stalled')));
    await sleep(200);
    expect((await ask('/whole')).body).to.have.length(2 * body.length);
    await egress.close();
    await Promise.all(stalled);
  });

  it('of content do not block those of endpoints', async () => {
    const stalled = [1, 2, 3].map((n) => failureOf(ask(`/stalled/${n}`, 'content')));
    await sleep(200);
    expect((await ask('/whole')).body).to.have.length(2 * body.length);
    await egress.close();
    await Promise.all(stalled);
  });

  it('that wait for memory end at their deadline', async () => {
    const stalled = [1, 2].map((n) => failureOf(ask(`/stalled/${n}`)));
    await sleep(200);
    expect((await failureOf(ask('/whole', 'endpoint', 300)))?.failure).to.equal('timeout');
    await egress.close();
    await Promise.all(stalled);
  });
});
