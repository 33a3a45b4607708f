import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '../../../core/support/clock.ts';
import { until } from '../../support/until.ts';
import { holding, probing } from './places-fixture.ts';
import { RawClient, type RawAnswer } from './raw-client.ts';
import { things } from './routes-fixture.ts';
import { startServer, type TestServer } from './support.ts';

describe('a connection whose request was refused', () => {
  const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const post = (body: string): string =>
    `POST /api/v1/things/call HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const call = post('{"input":{"a":1}}');
  let server: TestServer;
  let client: RawClient;
  let places: Place[];

  /** Takes the one place until told otherwise. */
  interface Place {
    readonly leave: () => void;
  }

  const hold = holding(
    () => new Promise<Record<string, unknown>>((resolve) => places.push({ leave: () => resolve({}) })),
  );

  const probe = probing('probe', () => Promise.resolve({ status: 'healthy' }));

  const slowProbe = probing('slowProbe', async () => {
    await pause(250);
    return { status: 'slow' };
  });

  /** Fills the server, and empties it at the end. */
  async function whileFull<T>(work: () => Promise<T>): Promise<T> {
    const held = server.request('GET', '/hold');
    await until(() => server.inFlight() >= 1);
    const result = await work();
    places.at(-1)!.leave();
    await held;
    return result;
  }

  const withoutOwn = ({ headers }: RawAnswer): object => {
    const { date: _, connection: __, 'keep-alive': ___, 'x-request-id': ____, ...others } = headers;
    return others;
  };
  /** Node dates its answers; refusals without Node have no date. */
  const isDated = ({ headers }: RawAnswer): boolean => 'date' in headers;

  const refusals = async (): Promise<number> => {
    const { text } = await server.metrics.expose();
    return Number(/^http_server_refused_requests_total (\d+)$/m.exec(text)?.[1] ?? 0);
  };

  /** Counts its ticks: when the machine stalls nobody has waited longer, or kept a place too long. */
  let elapsed = 0;
  const clock = { ...systemClock, elapsed: () => elapsed };
  let ticking: NodeJS.Timeout;
  before(() => (ticking = setInterval(() => (elapsed += 5), 5)));
  after(() => clearInterval(ticking));

  beforeEach(async () => {
    places = [];
    const settings = { max_in_flight: 1 };
    server = await startServer([...things, hold, probe, slowProbe], { settings, clock });
    client = await RawClient.open(server.port);
  });
  afterEach(async () => {
    client.close();
    await server.close();
  });

  it('waits a moment for a place with its next request, and is refused when none came free', async () => {
    await whileFull(async () => {
      await client.ask(get('/api/v1/things'));
      const since = elapsed;
      const { status } = await client.ask(get('/api/v1/things'));
      expect(status).to.equal(503);
      expect(elapsed - since).to.be.within(40, 1000);
    });
  });

  it('gets a place as soon as one is free, those first who came first', async () => {
    const others = [client, await RawClient.open(server.port), await RawClient.open(server.port)];
    const entered: string[] = [];
    await whileFull(async () => {
      for (const each of others) await each.ask(get('/api/v1/things'));
      const waiting = others.map(async (each, index) => {
        const { status } = await each.ask(get('/api/v1/hold'));
        entered.push(`${index} ${status}`);
      });
      for (let place = 0; place < others.length; place += 1) {
        places.at(-1)!.leave();
        await until(() => places.length >= place + 2);
      }
      places.at(-1)!.leave();
      await Promise.all(waiting);
    });
    for (const each of others.slice(1)) each.close();
    expect(entered).to.deep.equal(['0 200', '1 200', '2 200']);
  });

  it('is refused again in the same words, without Node reading the request', async () => {
    await whileFull(async () => {
      const first = await client.ask(call);
      expect(isDated(await client.ask(call)), 'the doorman is not sure yet').to.equal(true);
      const second = await client.ask(call);
      expect([isDated(first), isDated(second)]).to.deep.equal([true, false]);
      expect(second.status).to.equal(503);
      expect(withoutOwn(second)).to.deep.equal(withoutOwn(first));
      expect(second.body).to.deep.equal({ ...first.body, request_id: second.headers['x-request-id'] });
      const named = await client.ask(get('/api/v1/things/7?a=1', 'X-Request-Id: mine-2\r\n'));
      expect(isDated(named)).to.equal(false);
      expect(named.headers['x-request-id']).to.equal('mine-2');
      expect(named.body).to.deep.include({ request_id: 'mine-2', instance: '/api/v1/things/7' });
      expect(await refusals()).to.equal(4);
    });
  });

  it('is served when there is a place, refused when there is none, in turns', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      const refused = await whileFull(() => client.ask(call));
      expect([refused.status, isDated(refused)]).to.deep.equal([503, turn === 0]);
      const served = await client.ask(call);
      expect([served.status, served.body]).to.deep.equal([200, { a: 1 }]);
    }
  });

  it('is answered in order when it asks before it was answered', async () => {
    await whileFull(() => client.ask(call));
    client.socket.write(get('/api/v1/hold'));
    await until(() => server.inFlight() >= 1);
    client.socket.write(get('/api/v1/things/7'));
    await until(async () => (await refusals()) >= 2);
    places.at(-1)!.leave();
    const answers = [await client.answer(), await client.answer()];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 503]);
    expect(answers[0]!.body).to.deep.equal({});
  });

  it('keeps to what the parser has read already, when the beginning of a request came along', async () => {
    await whileFull(async () => {
      await client.ask(`${call}GET /api/v1/things/7 HTTP/1.1\r\nHost: x\r\nX-A: `);
      await pause(150);
      // To the parser this is the value of a field, whatever it looks like.
      const rest = await client.ask(get('/api/v1/things/8'));
      expect([rest.status, rest.body.instance]).to.deep.equal([503, '/api/v1/things/7']);
    });
    expect((await client.ask(get('/api/v1/things/9'))).status).to.equal(200);
  });

  it('keeps the order of answers, when a request that is served came along', async () => {
    await whileFull(async () => {
      client.socket.write(call + get('/api/v1/slowProbe'));
      const refused = await client.answer();
      await pause(20);
      client.socket.write(get('/api/v1/things/8'));
      const served = await client.answer();
      const last = await client.answer();
      expect([refused.status, served.status, last.status]).to.deep.equal([503, 200, 503]);
      expect(served.body).to.deep.equal({ status: 'slow' });
    });
  });

  const unusual = [
    ['a body that comes later', [call.slice(0, -5), call.slice(-5)], [503]],
    ['a head that comes in two pieces', [call.slice(0, 30), call.slice(30)], [503]],
    ['two requests in one piece', [call + call], [503, 503]],
    [
      'a chunked body',
      [`POST /api/v1/things/call HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
      [503],
    ],
    ['no HTTP at all', ['how do you do\r\n\r\n'], [400]],
    ['a request without a host', ['GET /api/v1/things HTTP/1.1\r\nAccept: x\r\n\r\n'], [400]],
  ] as const;

  async function expectAnswers(asking: RawClient, pieces: readonly string[], statuses: readonly number[]) {
    for (const piece of pieces) {
      asking.socket.write(piece);
      await pause(20);
    }
    const answers: number[] = [];
    for (const _ of statuses) answers.push((await asking.answer()).status);
    expect(answers).to.deep.equal(statuses);
  }

  for (const [what, pieces, statuses] of unusual) {
    it(`is answered as ever when it brings ${what}`, async () => {
      await whileFull(async () => {
        await client.ask(call);
        await client.ask(call);
        await pause(120);
        await expectAnswers(client, pieces, statuses);
      });
    });
  }

  it('is told to go elsewhere when the server stops', async () => {
    await whileFull(async () => {
      await client.ask(call);
      await client.ask(call);
      const closing = server.close(500);
      const last = await client.ask(call);
      expect([last.status, last.headers['connection']]).to.deep.equal([503, 'close']);
      places.at(-1)!.leave();
      await closing;
    });
  });

  describe('or that is new when there are more than places', () => {
    /** Fills the server, and then comes one more. */
    const asNewcomer = async (work: (newcomer: RawClient) => Promise<void>): Promise<void> => {
      await whileFull(async () => {
        const newcomer = await RawClient.open(server.port);
        await work(newcomer);
        newcomer.close();
      });
    };

    it('waits a moment with its first request, and is refused without Node reading it', async () => {
      await asNewcomer(async (newcomer) => {
        const since = elapsed;
        const refused = await newcomer.ask(call);
        expect(elapsed - since).to.be.within(40, 1000);
        expect([refused.status, refused.body.code, isDated(refused)]).to.deep.equal([
          503,
          'overloaded',
          false,
        ]);
        expect(isDated(await newcomer.ask(call))).to.equal(false);
        expect(await refusals()).to.equal(2);
      });
    });

    it('gets the place that comes free meanwhile', async () => {
      await asNewcomer(async (newcomer) => {
        const answer = newcomer.ask(call);
        await pause(20);
        places.at(-1)!.leave();
        expect((await answer).status).to.equal(200);
      });
    });

    it('does not wait to ask how the server is', async () => {
      await asNewcomer(async (newcomer) => {
        const waiting = await RawClient.open(server.port);
        const answers: number[] = [];
        const ask = async (asking: RawClient, what: string) => answers.push((await asking.ask(what)).status);
        const refused = ask(waiting, call);
        await pause(20);
        await Promise.all([refused, ask(newcomer, get('/api/v1/probe'))]);
        waiting.close();
        expect(answers).to.deep.equal([200, 503]);
      });
    });

    for (const [what, pieces, statuses] of unusual) {
      it(`is answered as ever when it brings ${what}`, async () => {
        await asNewcomer((newcomer) => expectAnswers(newcomer, pieces, statuses));
      });
    }

    it('is not closed for having sent nothing, as it would be if Node never read a request of it', async () => {
      const settings = { max_in_flight: 0, headers_timeout_ms: 2_300, check_interval_ms: 50 };
      const full = await startServer(things, { settings });
      const newcomer = await RawClient.open(full.port);
      const answers: RawAnswer[] = [];
      const until = performance.now() + 3_000;
      while (performance.now() < until) answers.push(await newcomer.ask(call));
      newcomer.close();
      await full.close();
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([503]));
      expect(answers.filter(isDated), 'read by Node').to.have.length(1);
    });
  });
});
