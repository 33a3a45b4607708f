import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { egressWith, failureOf, get, startHttpServer, type TestServer } from './servers.ts';

const MIB = 1024 * 1024;
const LARGE = Buffer.alloc(3 * MIB, 'a');
const AT_ONCE = 8;
const MEANWHILE_MS = 500;

describe('large answers of endpoints that are held when they came', () => {
  let server: TestServer;
  let egress: ReturnType<typeof egressWith>;
  let came: object[];
  beforeEach(async () => {
    came = [];
    server = await startHttpServer(({ url }, response) => void response.end(url === '/small' ? 'a' : LARGE));
    egress = egressWith({ held_answer_memory: 5 * MIB });
  });
  afterEach(async () => {
    await egress.close();
    await server.stop();
  });

  function ask(path: string, timeoutMs = 10_000): Promise<void> {
    const holder = {};
    const request = get(`http://127.0.0.1:${server.port}${path}`, 'endpoint', {
      maxBytes: 4 * MIB,
      timeoutMs,
    });
    return egress.request({ ...request, holder }).then(() => void came.push(holder));
  }

  const askMany = (timeoutMs?: number) => Array.from({ length: AT_ONCE }, () => ask('/large', timeoutMs));
  /** Full, and then for so long that more would come if they could. */
  async function untilFull(): Promise<void> {
    await until(() => egress.held.isFull);
    await sleep(MEANWHILE_MS);
  }

  const letGoOfAll = () => came.splice(0).forEach((holder) => egress.held.letGo(holder));

  it('are so few that they fit, and one more', async () => {
    const all = askMany();
    for (let left = AT_ONCE; left > 0; left -= 2) {
      await untilFull();
      expect(came).to.have.length(2);
      letGoOfAll();
    }
    await Promise.all(all);
    expect(egress.held.isFull).to.equal(false);
  });

  it('do not hold up small ones', async () => {
    const all = askMany();
    await untilFull();
    await ask('/small');
    expect(came).to.have.length(3);
    const letting = setInterval(letGoOfAll, 10);
    await Promise.all(all);
    clearInterval(letting);
  });

  it('let those that wait end by their deadline, and by no other fault', async () => {
    const failed = (await Promise.all(askMany(2_000).map(failureOf))).filter(
      (failure) => failure !== undefined,
    );
    expect(failed.map(({ message }) => message)).to.deep.equal(
      Array(AT_ONCE - 2).fill('The server did not answer in full within 2 s.'),
    );
  });

  it('let others come when little is made of them', async () => {
    const all = askMany();
    for (let count = 2; count <= AT_ONCE; count += 2) {
      await untilFull();
      expect(came).to.have.length(count);
      for (const holder of came) egress.held.hold(holder, 100 * 1024);
    }
    await Promise.all(all);
  });

  it('count for nobody who is over', () => {
    const holder = { isOver: false };
    egress.held.hold(holder, 6 * MIB);
    expect(egress.held.isFull).to.equal(true);
    holder.isOver = true;
    egress.held.hold(holder, 7 * MIB);
    expect(egress.held.isFull).to.equal(false);
  });

  it('count as much as is made of them', () => {
    const holder = {};
    egress.held.hold(holder, 6 * MIB);
    expect(egress.held.isFull).to.equal(true);
    egress.held.hold(holder, 4 * MIB);
    expect(egress.held.isFull).to.equal(false);
    egress.held.hold(holder, 6 * MIB);
    egress.held.hold(holder, 100);
    expect(egress.held.isFull).to.equal(false);
  });
});
