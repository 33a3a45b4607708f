import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { coreRoutes } from '../../core/http/core-routes.ts';
import { ANSWER_TIMEOUT_MS, HEADERS_TIMEOUT_MS } from '../../core/http/server-bounds.ts';
import { normalizePath } from '../../core/http/routing/request-path.ts';
import {
  haproxyChecks,
  haproxyDirectives,
  haproxyFile,
  haproxyVersion,
  milliseconds,
} from '../support/haproxy.ts';
import { deployedSettings, longestRequestMs, type DeployedSettings } from './production.ts';

const INSTANCES = ['vitrine-1:3000', 'vitrine-2:3000', 'vitrine-3:3000'];

describe('the configuration of HAProxy', () => {
  const directives = haproxyDirectives();
  const all = (...first: string[]) =>
    directives.filter(({ words }) => first.every((word, index) => words[index] === word));
  const timeout = (name: string): number => milliseconds(all('timeout', name)[0]?.words[2] ?? '');
  let settings: DeployedSettings;
  before(async () => (settings = await deployedSettings()));

  it('sends requests to the three instances of compose, and can be told other addresses', () => {
    for (const section of ['backend vitrine', 'backend vitrine-unready']) {
      const servers = all('server').filter((directive) => directive.section === section);
      expect(servers.map(({ words }) => words[2])).to.deep.equal(
        INSTANCES.map((address, index) => `"\${VITRINE_${index + 1}-${address}}"`),
      );
    }
  });

  it('asks a path that the service answers', () => {
    const served = coreRoutes({ ready: () => true, health: {} as never, metrics: {} as never });
    expect(served.map(({ route }) => route.path)).to.include(haproxyChecks().path);
    expect(all('default-server')[0]!.words).to.include('check');
  });

  it('turns away from an instance long before that one stops listening', () => {
    const { interMs, fastMs, timeoutMs, fall } = haproxyChecks();
    const slowest = interMs + fall * timeoutMs + (fall - 1) * fastMs;
    expect(slowest).to.be.below(settings.number('server.drain_delay_ms'));
  });

  it('repeats only what was never sent', () => {
    expect(all('retry-on').map(({ words }) => words.slice(1))).to.deep.equal([['conn-failure']]);
    expect(all('http-reuse')).to.be.empty;
  });

  it('waits longer than the service does', () => {
    expect(timeout('server')).to.be.above(longestRequestMs(settings));
    expect(timeout('client')).to.be.above(settings.number('server.request_timeout_ms'));
    expect(timeout('client')).to.be.above(ANSWER_TIMEOUT_MS);
    expect(timeout('http-request')).to.be.above(HEADERS_TIMEOUT_MS);
  });

  it('closes idle connections before the service does', () => {
    expect(timeout('http-keep-alive')).to.be.below(settings.number('server.keep_alive_ms'));
  });

  it('sets no narrower bounds than the service', () => {
    const headersOfNode = 16_384;
    expect(Number(all('tune.bufsize')[0]!.words[1])).to.be.at.least(2 * headersOfNode);
    expect(directives.filter(({ words }) => words.some((word) => /req\.body|req\.len/.test(word)))).to.be
      .empty;
    for (const { words } of all('default-server')) {
      const connections = Number(words[words.indexOf('maxconn') + 1]);
      expect(connections).to.be.below(settings.number('server.max_connections'));
    }
  });

  it('says who the client is in the header that the service believes', () => {
    const forwarding = all('option', 'forwardfor');
    expect(forwarding.map(({ section }) => section)).to.deep.equal(['frontend public']);
    const trusted = settings.all.find(({ env }) => env === 'TRUST_PROXY');
    expect(trusted?.value).to.equal('1');
  });

  it('keeps the metrics inside, in every spelling that the service reads as their path', () => {
    const rule = all('http-request', 'return').find(({ words }) => words.includes('path,url_dec'));
    expect(rule?.words.slice(0, 4)).to.deep.equal(['http-request', 'return', 'status', '404']);
    const pattern = new RegExp(rule!.words[rule!.words.indexOf('-m') + 2]!);
    const spellings = ['/metrics', '/metrics/', '/%6detrics', '/metric%73/', '/%6D%65trics'];
    for (const spelling of spellings) {
      expect(normalizePath(spelling), spelling).to.equal('/metrics');
      expect(decodeURIComponent(spelling)).to.match(pattern);
    }
    expect('/api/v1/metrics').not.to.match(pattern);
  });

  it('answers itself with problem documents', () => {
    const errors = all('http-error', 'status');
    expect(errors.map(({ words }) => words[2])).to.deep.equal(['502', '503', '504']);
    for (const { words } of [...errors, ...all('http-request', 'return')]) {
      expect(words).to.include('application/problem+json');
      const text = words[words.indexOf('string') + 1]!;
      const document = JSON.parse(text.slice(1, -1)) as Record<string, unknown>;
      expect(document['type']).to.equal(`urn:vitrine:problem:${document['code'] as string}`);
      expect(words).to.include(String(document['status']));
    }
  });

  it('is valid, says HAProxy itself (where it is on the PATH)', function () {
    if (haproxyVersion() === undefined) this.skip();
    const { status, stdout, stderr } = spawnSync('haproxy', ['-c', '-f', haproxyFile], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], VITRINE_1: '[::1]:1', VITRINE_2: '[::1]:2', VITRINE_3: '[::1]:3' },
    });
    expect(status, `${stdout}${stderr}`).to.equal(0);
    expect(stderr).not.to.include('WARNING');
  });
});
