import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { AnswerMemory, type Gathering } from '../../../core/egress/answer-memory.ts';
import type { EgressPurpose } from '../../../core/egress/egress.ts';
import { until } from '../../support/until.ts';
import { egressWith, failureOf, get, startHttpServer, type TestServer } from './servers.ts';

const MIB = 1024 * 1024;

interface ToldAnswer extends Gathering {
  readonly told: string[];
}

/** An answer that writes down what it is told. */
function answer(source = 'anywhere'): ToldAnswer {
  const told: string[] = [];
  return {
    source,
    told,
    pause: () => void told.push('pause'),
    resume: () => void told.push('resume'),
    giveUp: () => void told.push('give up'),
  };
}

describe('the memory that large answers share', () => {
  it('lets an answer take all that it may while it is alone', () => {
    const memory = new AnswerMemory(8 * MIB);
    const alone = answer();
    for (let bytes = MIB; bytes <= 100 * MIB; bytes += MIB) memory.hold(alone, bytes);
    expect(alone.told).to.deep.equal([]);
  });

  it('makes the second wait when it is used up', () => {
    const memory = new AnswerMemory(8 * MIB);
    const [first, second] = [answer(), answer()];
    memory.hold(first, 6 * MIB);
    memory.hold(second, 6 * MIB);
    expect([first.told, second.told]).to.deep.equal([[], ['pause']]);
  });

  it('lets the first go on, so that one always ends', () => {
    const memory = new AnswerMemory(8 * MIB);
    const [first, second] = [answer(), answer()];
    memory.hold(first, 6 * MIB);
    memory.hold(second, 6 * MIB);
    memory.hold(first, 50 * MIB);
    expect(first.told).to.deep.equal([]);
  });

  it('lets those that wait go on when another ends', () => {
    const memory = new AnswerMemory(8 * MIB);
    const [first, second] = [answer(), answer()];
    memory.hold(first, 6 * MIB);
    memory.hold(second, 6 * MIB);
    memory.release(first);
    expect(second.told).to.deep.equal(['pause', 'resume']);
  });

  it('lets the next one be the first, even when there is still nothing to share', () => {
    const memory = new AnswerMemory(8 * MIB);
    const [first, second, third] = [answer(), answer(), answer()];
    memory.hold(first, 6 * MIB);
    memory.hold(second, 20 * MIB);
    memory.hold(third, 20 * MIB);
    memory.release(first);
    expect([second.told.at(-1), third.told.at(-1)]).to.deep.equal(['resume', 'pause']);
  });

  it('never makes a small answer wait', () => {
    const memory = new AnswerMemory(8 * MIB);
    const small = answer();
    memory.hold(answer(), 50 * MIB);
    memory.hold(small, 65_536);
    expect(small.told).to.deep.equal([]);
  });

  describe('when an answer stands still whose turn it is', () => {
    const LOOK_MS = 20;
    let memory: AnswerMemory;
    let begun: ToldAnswer[];
    beforeEach(() => {
      memory = new AnswerMemory(8 * MIB, { lookEveryMs: LOOK_MS });
      begun = [];
    });
    afterEach(() => begun.forEach((one) => memory.release(one)));

    /** Answers that hold more than there is, each of the source that is named. */
    function begin(...sources: readonly string[]): ToldAnswer[] {
      const answers = sources.map((source) => {
        const one = answer(source);
        const failing: ToldAnswer = {
          ...one,
          giveUp: () => {
            one.giveUp();
            memory.release(failing);
          },
        };
        return failing;
      });
      begun.push(...answers);
      for (const one of answers) memory.hold(one, 9 * MIB);
      return answers;
    }

    const someLooks = () => sleep(20 * LOOK_MS);

    it('lets the next go on beside it', async () => {
      const [still, next] = begin('a', 'b');
      await until(() => next!.told.includes('resume'));
      expect(still!.told).to.deep.equal([]);
    });

    it('lets nobody go on while it moves', async () => {
      const [moving, next] = begin('a', 'b');
      let bytes = 9 * MIB;
      const coming = setInterval(() => memory.hold(moving!, (bytes += 65_536)), 1);
      await someLooks();
      clearInterval(coming);
      expect(next!.told).to.deep.equal(['pause']);
    });

    it('does not take a byte now and then for moving', async () => {
      const [dripping, next] = begin('a', 'b');
      let bytes = 9 * MIB;
      const coming = setInterval(() => memory.hold(dripping!, (bytes += 1)), 1);
      await until(() => next!.told.includes('resume'));
      clearInterval(coming);
    });

    it('does not let one keep the turn for long that moves slowly', async () => {
      const [slow, next, third] = begin('a', 'b', 'c');
      let bytes = 9 * MIB;
      const began = performance.now();
      const isOver = () => next!.told.includes('resume');
      // A timer may be due before the one that waits looks again.
      const coming = setInterval(() => isOver() || memory.hold(slow!, (bytes += 32_768)), LOOK_MS / 2);
      await until(isOver);
      clearInterval(coming);
      expect(performance.now() - began).to.be.above(19 * LOOK_MS);
      memory.hold(slow!, (bytes += 1));
      expect(slow!.told).to.deep.equal(['pause']);
      memory.release(next!);
      expect([slow!.told, third!.told]).to.deep.equal([['pause'], ['pause', 'resume']]);
    });

    it('lets one of another source go on first', async () => {
      const [, same, other] = begin('a', 'a', 'b');
      await until(() => other!.told.includes('resume'));
      expect(same!.told).to.deep.equal(['pause']);
    });

    it('gives it up when the next one stands still as well and a third waits', async () => {
      const [first, second, third] = begin('a', 'b', 'c');
      await until(() => third!.told.includes('resume'));
      expect([first!.told, second!.told]).to.deep.equal([['give up'], ['pause', 'resume']]);
    });

    it('does not give up one that moves again and has to wait, but the one that stands still now', async () => {
      const [first, second, third] = begin('a', 'b', 'c');
      await until(() => second!.told.includes('resume'));
      memory.hold(first!, 10 * MIB);
      await until(() => third!.told.includes('resume'));
      expect([first!.told, second!.told]).to.deep.equal([['pause'], ['pause', 'resume', 'give up']]);
    });

    it('never gives it up for others of its source, nor lets more than two go on', async () => {
      const [first, second, third] = begin('a', 'a', 'a');
      await until(() => second!.told.includes('resume'));
      await someLooks();
      expect([first!.told, third!.told]).to.deep.equal([[], ['pause']]);
    });

    it('lets it go on in its turn when it moves again', async () => {
      const [first, second] = begin('a', 'b');
      await until(() => second!.told.includes('resume'));
      memory.hold(first!, 10 * MIB);
      expect(first!.told).to.deep.equal(['pause']);
      memory.release(second!);
      expect(first!.told).to.deep.equal(['pause', 'resume']);
    });
  });

  it('lets all of many large answers arrive whole', async function () {
    this.timeout(60_000);
    const body = Buffer.alloc(2 * MIB, 'abcdefghij');
    const server = await startHttpServer((_, response) => response.end(body));
    const egress = egressWith();
    const request = get(`http://127.0.0.1:${server.port}/`, 'endpoint', {
      maxBytes: 2 * MIB,
      timeoutMs: 50_000,
    });
    const whole = await Promise.all(
      Array.from({ length: 30 }, async () => (await egress.request(request)).body.equals(body)),
    );
    await egress.close();
    await server.stop();
    expect(whole).to.deep.equal(Array(30).fill(true));
  });
});

describe('a large answer that does not come to its end', () => {
  const LARGE = Buffer.alloc(3 * MIB, 'a');
  let server: TestServer;
  let egress: ReturnType<typeof egressWith>;
  let coming: NodeJS.Timeout[];
  beforeEach(async () => {
    coming = [];
    egress = egressWith({ allow: ['127.0.0.1'] });
    server = await startHttpServer(({ url = '' }, response) => {
      if (url === '/whole') return void response.end(LARGE);
      response.write(LARGE);
      const pieceEvery = { '/slow': 20, '/slower': 200 }[url];
      if (pieceEvery) coming.push(setInterval(() => response.write(LARGE.subarray(0, 32_768)), pieceEvery));
    });
  });
  afterEach(async () => {
    for (const timer of coming) clearInterval(timer);
    await egress.close();
    await server.stop();
  });

  const ask = (path: string, purpose: EgressPurpose, timeoutMs: number) =>
    egress.request(
      get(`http://127.0.0.1:${server.port}${path}`, purpose, { maxBytes: 100 * MIB, timeoutMs }),
    );

  it('does not hold up those of other endpoints', async () => {
    const still = failureOf(ask('/still', 'endpoint', 20_000));
    await sleep(200);
    expect((await ask('/whole', 'endpoint', 10_000)).body).to.have.length(LARGE.length);
    await egress.close();
    expect((await still)?.failure).to.equal('bad_response');
  });

  it('fails when another does the same and a third waits, and says why', async () => {
    const still = [1, 2].map((n) => failureOf(ask(`/still/${n}`, 'endpoint', 20_000)));
    await sleep(200);
    expect((await ask('/whole', 'endpoint', 10_000)).body).to.have.length(LARGE.length);
    const failure = await Promise.race(still);
    expect([failure?.failure, failure?.message]).to.deep.equal([
      'timeout',
      'The answer of the server stood still, or came slowly, while others waited for the memory that it held. ' +
        'Let it come faster and without long pauses, or ask the operator about egress.answer_memory.',
    ]);
  });

  it('does not hold up those of other endpoints by coming slowly', async () => {
    const slow = failureOf(ask('/slower', 'endpoint', 30_000));
    await sleep(200);
    expect((await ask('/whole', 'endpoint', 15_000)).body).to.have.length(LARGE.length);
    await egress.close();
    expect((await slow)?.failure).to.equal('bad_response');
  }).timeout(30_000);

  it('does not hold up endpoints when a user had it fetched, however long it moves', async () => {
    const slow = failureOf(ask('/slow', 'content', 20_000));
    await sleep(200);
    expect((await ask('/whole', 'endpoint', 5_000)).body).to.have.length(LARGE.length);
    await egress.close();
    await slow;
  });
});
