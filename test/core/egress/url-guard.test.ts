import { expect } from 'chai';
import { request as naiveRequest, Agent } from 'undici';
import { Problem } from '../../../core/errors/problem.ts';
import { egressWith, failureOf, get, resolverFor, startHttpServer, type TestServer } from './servers.ts';
import { loopbackForms, refusedForms } from './url-forms.ts';

const closed = [
  { purpose: 'content', policy: 'private' },
  { purpose: 'content', policy: 'public' },
  { purpose: 'endpoint', policy: 'public' },
] as const;

describe('the guard against URLs that lead inside', () => {
  let canary: TestServer;
  let canary6: TestServer;

  before(async () => {
    canary = await startHttpServer((_, response) => response.end('{}'), { host: '0.0.0.0' });
    canary6 = await startHttpServer((_, response) => response.end('{}'), { host: '::1', port: canary.port });
  });

  beforeEach(() => {
    canary.connections = 0;
    canary6.connections = 0;
  });

  after(async () => {
    await canary.stop();
    await canary6.stop();
  });

  const hits = () => canary.connections + canary6.connections;
  const here = (form: string) => form.replace('PORT', String(canary.port));

  it('knows at least sixty forms of a URL', () => {
    expect(new Set([...loopbackForms, ...refusedForms]))
      .to.have.property('size')
      .at.least(60);
  });

  it('is needed: without it more than half of the loopback forms reach this machine', async () => {
    const agent = new Agent({ connect: { lookup: naiveLookup() } });
    await Promise.all(loopbackForms.map((form) => naively(here(form), agent)));
    await agent.destroy();
    expect(hits()).to.be.above(loopbackForms.length / 2);
  });

  for (const { purpose, policy } of closed) {
    for (const form of loopbackForms) {
      it(`refuses ${JSON.stringify(form)} as ${purpose} under the policy ${policy}`, async () => {
        const egress = egressWith({ policy }, resolverFor(['127.0.0.1']));
        const failure = await failureOf(egress.request(get(here(form), purpose)));
        await egress.close();
        expect([failure?.failure, hits()]).to.deep.equal(['egress_denied', 0]);
      });
    }
  }

  for (const form of refusedForms) {
    it(`never follows ${JSON.stringify(form.slice(0, 60))}, not even as endpoint`, async () => {
      const egress = egressWith();
      const failure = await failureOf(egress.request(get(form, 'endpoint')));
      await egress.close();
      expect(failure?.failure).to.equal('egress_denied');
    });

    it(`does not let ${JSON.stringify(form.slice(0, 60))} be saved`, () => {
      expect(() => egressWith().check(form, 'endpoint'))
        .to.throw(Problem)
        .with.property('code', 'egress_denied');
    });
  }

  it('reaches this machine as an endpoint, which is where self-hosted algorithms live', async () => {
    const egress = egressWith();
    const answer = await egress.request(get(here('http://127.0.0.1:PORT/'), 'endpoint'));
    await egress.close();
    expect([answer.status, hits()]).to.deep.equal([200, 1]);
  });

  it('reaches this machine over IPv6 as well', async () => {
    const egress = egressWith();
    const answer = await egress.request(get(here('http://[::1]:PORT/'), 'endpoint'));
    await egress.close();
    expect([answer.status, canary6.connections]).to.deep.equal([200, 1]);
  });

  it('lets public addresses and names be saved for every purpose', () => {
    const egress = egressWith({ policy: 'public' });
    const check = () => {
      for (const purpose of ['endpoint', 'content'] as const) {
        egress.check('https://example.org/path?x=1', purpose);
        egress.check('http://8.8.8.8:8080/', purpose);
        egress.check('http://[2606:4700:4700::1111]/', purpose);
      }
    };
    expect(check).to.not.throw();
  });

  const untidy = [
    ' http://example.org/',
    'http://exam\tple.org/',
    'http://example.org/\n',
    'http:\\\\example.org',
    'http:/example.org',
    'http://example.org\\@example.com/',
  ];

  for (const url of untidy) {
    it(`does not let ${JSON.stringify(url)} be saved, which the URL parser would silently repair`, () => {
      expect(() => egressWith().check(url, 'endpoint'))
        .to.throw(Problem)
        .with.property('code', 'egress_denied');
    });
  }

  it('gives the same message for every refused address', () => {
    const egress = egressWith({ policy: 'public' });
    const sentences = [
      'http://127.0.0.1/',
      'http://10.0.0.1/',
      'http://169.254.169.254/',
      'http://localhost/',
      'http://metadata/',
    ].map((url) => detailOf(() => egress.check(url, 'endpoint')));
    expect(new Set(sentences)).to.have.property('size', 1);
  });

  it('gives the same message for an address in the URL and behind a name', async () => {
    const egress = egressWith({}, resolverFor(['127.0.0.1']));
    const literal = await failureOf(egress.request(get('http://127.0.0.1/', 'content')));
    const named = await failureOf(egress.request(get('http://inside.example/', 'content')));
    await egress.close();
    expect(named?.message).to.equal(literal?.message);
  });

  function naiveLookup() {
    const lookup = resolverFor(['127.0.0.1']);
    return ((name: string, options: { all?: boolean }, done: (...args: unknown[]) => void) =>
      lookup(name, { all: true }, (error, found) =>
        options.all ? done(error, found) : done(error, found[0]?.address, found[0]?.family),
      )) as never;
  }

  async function naively(url: string, dispatcher: Agent): Promise<void> {
    if (!URL.canParse(url)) return;
    await naiveRequest(url, { dispatcher }).then(
      ({ body }) => body.dump(),
      () => undefined,
    );
  }

  function detailOf(check: () => void): string {
    try {
      check();
      return 'not refused';
    } catch (error) {
      return (error as Error).message;
    }
  }
});

describe('the guard and the allow list', () => {
  let inside: TestServer;

  before(async () => {
    inside = await startHttpServer((_, response) => response.end('{}'));
  });

  after(() => inside.stop());

  const outcome = async (allow: string, host: string, answers: readonly string[] = ['127.0.0.1']) => {
    const egress = egressWith({ policy: 'public', allow: [allow] }, resolverFor(answers));
    const failure = await failureOf(egress.request(get(`http://${host}:${inside.port}/`, 'content')));
    await egress.close();
    return failure?.failure ?? 'reached';
  };

  it('lets content come from an address that is listed', async () => {
    expect(await outcome('127.0.0.1', '127.0.0.1')).to.equal('reached');
  });

  it('lets content come from a network that is listed, by name too', async () => {
    expect(await outcome('127.0.0.0/8', 'models.lan')).to.equal('reached');
  });

  it('lets content come from a host that is listed', async () => {
    expect(await outcome('models.lan', 'models.lan')).to.equal('reached');
  });

  it('lets localhost be listed', async () => {
    expect(await outcome('localhost', 'localhost')).to.equal('reached');
  });

  it('refuses a listed host on a port that is not listed with it', async () => {
    expect(await outcome('models.lan:1', 'models.lan')).to.equal('egress_denied');
  });

  it('refuses the address of a listed host when the URL names the address', async () => {
    expect(await outcome('models.lan', '127.0.0.1')).to.equal('egress_denied');
  });

  it('refuses a listed host that resolves to a metadata address', async () => {
    expect(await outcome('models.lan', 'models.lan', ['169.254.169.254'])).to.equal('egress_denied');
  });

  it('refuses a listed host when only one of its addresses is link-local', async () => {
    expect(await outcome('models.lan', 'models.lan', ['127.0.0.1', 'fe80::1'])).to.equal('egress_denied');
  });

  it('refuses a listed host that resolves to an address nobody serves on, which means this machine to some systems', async () => {
    expect(await outcome('models.lan', 'models.lan', ['0.0.0.0'])).to.equal('egress_denied');
  });

  it('refuses a metadata address even when it is listed itself', async () => {
    expect(await outcome('169.254.169.254', '169.254.169.254')).to.equal('egress_denied');
  });

  it('refuses a metadata name even when it is listed', async () => {
    expect(await outcome('metadata.google.internal', 'metadata.google.internal')).to.equal('egress_denied');
  });
});
