import http from 'node:http';
import { expect } from 'chai';
import { egressWith, failureOf, get, resolverFor, startHttpServer, type TestServer } from './servers.ts';

const ALLOWED = '127.0.0.2';
const FORBIDDEN = '127.0.0.1';

/** An allowed server and a forbidden one on the same port, as a name sees them that resolves to either. */
describe('a name that resolves anew', () => {
  let allowed: TestServer;
  let canary: TestServer;

  before(async () => {
    allowed = await startHttpServer((_, response) => response.setHeader('connection', 'close').end('{}'), {
      host: ALLOWED,
    });
    canary = await startHttpServer((_, response) => response.end('{}'), {
      host: FORBIDDEN,
      port: allowed.port,
    });
  });

  beforeEach(() => {
    canary.connections = 0;
  });

  after(async () => {
    await allowed.stop();
    await canary.stop();
  });

  const url = () => `http://rebound.example:${allowed.port}/`;
  const guarded = (...turns: string[][]) => {
    const lookup = resolverFor(...turns);
    return { lookup, egress: egressWith({ policy: 'public', allow: [`${ALLOWED}/32`] }, lookup) };
  };

  it('gets past a guard that resolves first and connects afterwards', async () => {
    const lookup = resolverFor([ALLOWED], [FORBIDDEN]);
    const resolve = () =>
      new Promise<string>((done) => lookup('', { all: true }, (_, found) => done(found[0]!.address)));
    if ((await resolve()) === ALLOWED) {
      const host = await resolve();
      await new Promise((done) =>
        http.get({ host, port: allowed.port }, (answer) => answer.resume().on('end', done)),
      );
    }
    expect(canary.connections).to.equal(1);
  });

  it('reaches the allowed address while it resolves to that', async () => {
    const { egress } = guarded([ALLOWED]);
    const { status } = await egress.request(get(url(), 'content'));
    await egress.close();
    expect(status).to.equal(200);
  });

  it('never reaches the forbidden address in a thousand tries', async function () {
    this.timeout(20_000);
    const { egress } = guarded([ALLOWED], [FORBIDDEN], [FORBIDDEN, ALLOWED], [ALLOWED, FORBIDDEN]);
    for (let round = 0; round < 50; round++) {
      await Promise.all(Array.from({ length: 20 }, () => failureOf(egress.request(get(url(), 'content')))));
    }
    await egress.close();
    expect(canary.connections).to.equal(0);
  });

  it('is resolved and checked again for every new connection', async () => {
    const { egress, lookup } = guarded([ALLOWED], [FORBIDDEN]);
    await egress.request(get(url(), 'content'));
    const failure = await failureOf(egress.request(get(url(), 'content')));
    await egress.close();
    expect([failure?.failure, lookup.asked]).to.deep.equal(['egress_denied', 2]);
  });

  it('is resolved once for concurrent connections', async () => {
    const { egress, lookup } = guarded([ALLOWED]);
    await Promise.all(Array.from({ length: 10 }, () => egress.request(get(url(), 'content'))));
    await egress.close();
    expect(lookup.asked).to.equal(1);
  });

  for (const answers of [
    [ALLOWED, FORBIDDEN],
    [FORBIDDEN, ALLOWED],
    [ALLOWED, '::1'],
    ['::ffff:127.0.0.1'],
    ['::1'],
  ]) {
    it(`is refused when it has the addresses ${answers.join(' and ')}`, async () => {
      const { egress } = guarded(answers);
      const failure = await failureOf(egress.request(get(url(), 'content')));
      await egress.close();
      expect([failure?.failure, canary.connections]).to.deep.equal(['egress_denied', 0]);
    });
  }

  it('is unreachable when it has no address', async () => {
    const { egress } = guarded([]);
    const failure = await failureOf(egress.request(get(url(), 'content')));
    await egress.close();
    expect(failure?.failure).to.equal('unreachable');
  });

  it('does not lend a connection that one purpose may have to another that may not', async () => {
    const egress = egressWith({}, resolverFor([FORBIDDEN]));
    await egress.request(get(url(), 'endpoint'));
    const failure = await failureOf(egress.request(get(url(), 'content')));
    await egress.close();
    expect(failure?.failure).to.equal('egress_denied');
  });
});
