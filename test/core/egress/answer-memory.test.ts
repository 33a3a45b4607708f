import { expect } from 'chai';
import { AnswerMemory, type Gathering } from '../../../core/egress/answer-memory.ts';
import { egressWith, get, startHttpServer } from './servers.ts';

const MIB = 1024 * 1024;

/** An answer that writes down what it is told. */
function answer(): Gathering & { told: string[] } {
  const told: string[] = [];
  return { told, pause: () => void told.push('pause'), resume: () => void told.push('resume') };
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
