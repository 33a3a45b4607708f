import { expect } from 'chai';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { onEveryEngine, type Scratch } from '../../../core/testing.ts';
import { CATALOGUE } from '../../../plugins/catalogue/contract.ts';
import { createLiveCalls, LIVE_CALLS, type LiveCallsDeps } from '../../../plugins/monitoring/live-calls.ts';
import { made } from '../../support/other-services.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';
import { migratedScratch } from '../../support/databases/migrated-scratch.ts';

const PLUGINS = ['users', 'catalogue', 'permissions', 'invocation', 'monitoring'];

interface Event {
  readonly name: string;
  readonly data: any;
}

/** A stream as a client sees it. */
interface Listening {
  readonly status: number;
  readonly headers: Headers;
  /** Where it was refused. */
  readonly problem: any;
  /** The next event, or undefined at the end. */
  next(): Promise<Event | undefined>;
  leave(): void;
}

async function listenTo(vitrine: Vitrine, query: string, { token }: SignedIn): Promise<Listening> {
  const leaving = new AbortController();
  const answer = await fetch(`${vitrine.baseUrl}/monitoring/events${query}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
    signal: leaving.signal,
  });
  const { status, headers } = answer;
  const problem = status === 200 ? undefined : await answer.json();
  const parts = eventsIn(answer.body!);
  const next = async () => (await parts.next()).value as Event | undefined;
  return { status, headers, problem, next, leave: () => leaving.abort() };
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (name) yield { name, data: JSON.parse(data!) };
    }
  }
}

onEveryEngine((engine) => {
  describe('/monitoring/events', () => {
    let scratch: Scratch;
    let vitrine: Vitrine;
    let upstream: Upstream;
    let admin: SignedIn;
    let ada: SignedIn;
    let algorithm: string;
    const listening: Listening[] = [];
    beforeEach(async () => {
      upstream = await startUpstream();
      scratch = await migratedScratch(engine);
      vitrine = await startVitrine(engine, {
        plugins: PLUGINS,
        scratch,
        settings: { server: { max_in_flight: 2 } },
        services: [made(LIVE_CALLS, (deps: LiveCallsDeps) => createLiveCalls({ ...deps, mostStreams: 3 }))],
      });
      [admin, ada] = [await vitrine.admin(), await vitrine.user('ada')];
      const catalogue = vitrine.get(CATALOGUE);
      ({ id: algorithm } = await catalogue.create({
        name: 'Echo',
        description: 'Again',
        type: 'nlp',
      }));
      await catalogue.createVersion(algorithm, {
        version: '1',
        url: upstream.url,
      });
    });
    afterEach(async () => {
      for (const each of listening.splice(0)) each.leave();
      await vitrine.stop();
      await upstream.stop();
      await scratch.remove();
    });

    const listen = async (query = '', as = admin) => {
      const stream = await listenTo(vitrine, query, as);
      listening.push(stream);
      return stream;
    };
    const call = async (as = ada, service = vitrine) => {
      const body = {
        algorithm_id: algorithm,
        version_id: 'default',
        input_data: {},
      };
      const { status } = await service.request('POST', '/algorithms/call', {
        body,
        token: as.token,
      });
      expect(status).to.equal(200);
    };
    const grant = (permission_type: string) =>
      vitrine.request('POST', '/permissions/grants', {
        body: { algorithm_id: algorithm, user_id: ada.id, permission_type },
        token: admin.token,
      });

    it('tells the figures at once, and of a call when it has ended', async () => {
      const stream = await listen();
      expect(stream.status).to.equal(200);
      expect(stream.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
      expect(stream.headers.get('cache-control')).to.equal('no-store');
      expect(stream.headers.get('content-encoding'), 'compressed events would wait').to.equal(null);
      expect(await stream.next()).to.deep.equal({
        name: 'calls',
        data: { total_calls: 0, status_counts: {} },
      });
      await call();
      expect(await stream.next()).to.deep.equal({
        name: 'calls',
        data: { total_calls: 1, status_counts: { success: 1 } },
      });
    });

    it('tells many calls once a second at most', async () => {
      const stream = await listen();
      await stream.next();
      const began = performance.now();
      for (let i = 0; i < 10; i += 1) await call();
      let events = 0;
      for (let seen = 0; seen < 10; events += 1) seen = (await stream.next())!.data.total_calls;
      expect(events).to.be.at.most(2 + (performance.now() - began) / 1000);
    });

    it('is of one algorithm for those who manage it, and ends with that right', async () => {
      expect((await listen('', ada)).problem.code).to.equal('forbidden');
      expect((await listen(`?algorithm_id=${algorithm}`, ada)).problem.code).to.equal('forbidden');
      expect((await listen('?algorithm_id=nonsense', ada)).problem.code).to.equal('algorithm_not_found');
      const { id } = (await grant('manage')).body;
      const stream = await listen(`?algorithm_id=${algorithm}`, ada);
      expect((await stream.next())!.name).to.equal('calls');
      await vitrine.request('DELETE', `/permissions/grants/${id}`, {
        token: admin.token,
      });
      const ended = await stream.next();
      expect([ended!.name, ended!.data.code]).to.deep.equal(['ended', 'forbidden']);
      expect(await stream.next()).to.equal(undefined);
    });

    it('is of one’s own calls for everybody', async () => {
      await call(admin);
      const stream = await listen('?whose=own', ada);
      expect((await stream.next())!.data.total_calls).to.equal(0);
      await call(ada);
      expect((await stream.next())!.data.total_calls).to.equal(1);
    });

    it('ends with the session', async () => {
      const stream = await listen('?whose=own', ada);
      await stream.next();
      await vitrine.request('POST', '/users/logout', { token: ada.token });
      const ended = await stream.next();
      expect([ended!.name, ended!.data.code]).to.deep.equal(['ended', 'invalid_credentials']);
      expect(await stream.next()).to.equal(undefined);
    });

    it('ends with the account', async () => {
      const stream = await listen('?whose=own', ada);
      await stream.next();
      await vitrine.request('PATCH', `/users/${ada.id}`, {
        token: admin.token,
        body: { status: 'disabled' },
      });
      expect((await stream.next())!.name).to.equal('ended');
    });

    it('is limited in number, and takes no place of other requests', async () => {
      const streams = [await listen(), await listen(), await listen()];
      for (const stream of streams) await stream.next();
      const refused = await listen();
      expect([refused.status, refused.problem.code]).to.deep.equal([429, 'too_many_streams']);
      expect(refused.headers.get('retry-after')).to.equal('30');
      // Two requests at once are all that the server takes.
      await Promise.all([call(), call()]);
      streams[0]!.leave();
      let again = await listen();
      for (let i = 0; i < 50 && again.status !== 200; i += 1) again = await listen();
      expect(again.status).to.equal(200);
    });

    it('is limited in number also for requests that arrive in one packet', async () => {
      const { host, hostname, port, pathname } = new URL(vitrine.baseUrl);
      const request = (method: string, last: boolean) =>
        `${method} ${pathname}/monitoring/events?seconds=1 HTTP/1.1\r\nHost: ${host}\r\n` +
        `Authorization: Bearer ${admin.token}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
      const statuses = async (requests: string) => {
        const socket = connect(Number(port), hostname);
        socket.write(requests);
        const answers = await text(socket);
        return Array.from(answers.matchAll(/^HTTP\/1\.1 (\d+)/gm), ([, status]) => status);
      };
      const many = Array.from({ length: 50 }, (_, index) => request('GET', index === 49));
      const answered = await statuses(many.join(''));
      expect(answered).to.include('429');
      expect(answered.filter((status) => status === '200')).to.have.length(3);
      for (let i = 0; i < 5; i += 1) expect(await statuses(request('HEAD', true))).to.deep.equal(['200']);
    });

    it('ends after the seconds that were asked for', async () => {
      const began = performance.now();
      const stream = await listen('?seconds=1');
      await stream.next();
      expect(await stream.next()).to.equal(undefined);
      expect(performance.now() - began).to.be.within(900, 10_000);
    });

    it('ends at once when the service stops', async () => {
      const stream = await listen();
      await stream.next();
      const began = performance.now();
      const stopped = vitrine.stop();
      expect(await stream.next()).to.equal(undefined);
      const ended = performance.now() - began;
      await stopped;
      expect(ended, 'long before the deadline of a stop').to.be.lessThan(3_000);
    });

    it('tells of calls that another instance recorded', async () => {
      const peer = await startVitrine(engine, { plugins: PLUGINS, scratch });
      const stream = await listen();
      await stream.next();
      await call(ada, peer);
      expect((await stream.next())!.data.total_calls).to.equal(1);
      await peer.stop();
    });

    for (const query of ['whose=mine', 'seconds=0', 'seconds=3601', 'version_id=1']) {
      it(`refuses ${query}`, async () => {
        expect((await listen(`?${query}`)).status).to.equal(422);
      });
    }
  });
});

describe('a stream of live calls', () => {
  const principal = { kind: 'user', userId: 'ada', role: 'user' } as never;
  const query = { whose: 'own', seconds: 60 } as const;
  /** Live calls whose looks take ten seconds each; the database is away after the first one. */
  const slow = (mostStreams: number) => {
    let elapsed = 0;
    const seen = { looks: 0 };
    const live = createLiveCalls({
      catalogue: {} as never,
      rights: {} as never,
      statistics: {
        totals: async () => {
          elapsed += 10_000;
          seen.looks += 1;
          if (seen.looks > 1) throw new Error('away');
          return { total_calls: 7, status_counts: {}, total_response_time: 0 };
        },
      } as never,
      mostStreams,
      clock: { elapsed: () => elapsed },
      lookMs: 1,
    });
    const open = () => {
      const request = {
        signal: new AbortController().signal,
        stopping: new AbortController().signal,
      };
      return live.open(principal, query, request, async () => principal);
    };
    return { open, seen };
  };

  it('says every 15 seconds that it is alive, also while the database is away, and ends in time', async () => {
    const { open, seen } = slow(1);
    const parts: string[] = [];
    for await (const part of await open()) parts.push(String(part));
    expect(parts).to.deep.equal([
      'retry: 3000\n\n',
      'event: calls\ndata: {"total_calls":7,"status_counts":{}}\n\n',
      ': still here\n\n',
      ': still here\n\n',
    ]);
    expect(seen.looks).to.equal(6);
  });

  it('has its place from the moment it is opened until it is closed', async () => {
    const { open } = slow(2);
    const opened = await Promise.allSettled(Array.from({ length: 20 }, open));
    const streams = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(streams).to.have.length(2);
    streams[0]!.destroy();
    await new Promise((resolve) => streams[0]!.once('close', resolve));
    (await open()).destroy();
    streams[1]!.destroy();
  });
});
