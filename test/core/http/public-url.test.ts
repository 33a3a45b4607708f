import { expect } from 'chai';
import { publicUrl } from '../../../core/http/public-url.ts';
import { ServerSettings } from '../../../core/http/server-settings.ts';
import { complaintsOf } from '../../support/complaints.ts';
import { serverSettings } from './support.ts';

type Headers = Readonly<Record<string, string>>;
type Settings = Parameters<typeof serverSettings>[0];

describe('the address of the service for a client', () => {
  const of = (settings: Settings, headers: Headers, peer = '10.0.0.1'): string =>
    publicUrl(serverSettings(settings))(peer, { header: (name) => headers[name] }).href;

  const direct = { host: 'vitrine.lan:3000' };
  const overTls = { host: 'vitrine.example', 'x-forwarded-proto': 'https' };

  it('is what the request says', () => {
    expect(of({}, direct)).to.equal('http://vitrine.lan:3000/');
  });

  it('is PUBLIC_URL, whatever the request says', () => {
    expect(of({ public_url: 'https://vitrine.example' }, direct)).to.equal('https://vitrine.example/');
  });

  it('has the prefix that a proxy strips', () => {
    expect(of({ public_url: 'https://example.org/vitrine/' }, direct)).to.equal(
      'https://example.org/vitrine/',
    );
  });

  it('has what the base path has before its /api/v1', () => {
    expect(of({ base_path: '/x/api/v1' }, direct)).to.equal('http://vitrine.lan:3000/x/');
    expect(of({ base_path: '/x/api/v1', public_url: 'https://example.org/vitrine' }, direct)).to.equal(
      'https://example.org/vitrine/x/',
    );
    expect(of({ base_path: '/other' }, direct)).to.equal('http://vitrine.lan:3000/');
  });

  for (const trust_proxy of ['1', '10.0.0.0/8']) {
    it(`has the scheme that a trusted proxy tells, for TRUST_PROXY=${trust_proxy}`, () => {
      expect(of({ trust_proxy }, overTls)).to.equal('https://vitrine.example/');
      expect(of({ trust_proxy }, direct)).to.equal('http://vitrine.lan:3000/');
    });
  }

  it('has the scheme that the first of several proxies tells', () => {
    const headers = (list: string) => ({ host: 'vitrine.example', 'x-forwarded-proto': list });
    expect(of({ trust_proxy: '2' }, headers('https, http'))).to.equal('https://vitrine.example/');
    expect(of({ trust_proxy: '2' }, headers('http,https'))).to.equal('http://vitrine.example/');
  });

  it('does not have a scheme that a client tells', () => {
    expect(of({ trust_proxy: '' }, overTls)).to.equal('http://vitrine.example/');
    expect(of({ trust_proxy: '10.0.0.0/8' }, overTls, '9.9.9.9')).to.equal('http://vitrine.example/');
  });

  it('has the origin that browsers write', () => {
    expect(of({ trust_proxy: '1' }, { ...overTls, host: 'Vitrine.Example:443' })).to.equal(
      'https://vitrine.example/',
    );
  });

  for (const host of ['', 'a b', 'user@', '[']) {
    it(`has a host that no page has where the header Host is "${host}"`, () => {
      expect(of({}, { host })).to.equal('http://host.invalid/');
    });
  }

  it('has nothing of a Host but its host and port', () => {
    expect(of({}, { host: 'ada:pw@vitrine.lan/evil?x' })).to.equal('http://vitrine.lan/');
  });
});

describe('the setting PUBLIC_URL', () => {
  it('stops the start with credentials, which are not printed', () => {
    for (const wrong of [
      'https://me:p@ss@example.org',
      'https://:p@ss@example.org/keep',
      'https://me:p/ss@example.org',
    ]) {
      const complaint = complaintsOf(ServerSettings, { public_url: wrong });
      expect(complaint).to.match(
        /"server\.public_url" (has credentials in it|is "https:.*which is no address)/,
      );
      expect(complaint).not.to.match(/p@|ss@|me:/);
    }
  });

  it('stops the start with the base path at its end, which would be doubled', () => {
    expect(complaintsOf(ServerSettings, { public_url: 'https://example.org/api/v1/' })).to.contain(
      'ends in the base path; write it without /api/v1, which is added to it',
    );
  });

  it('is an address, or empty', () => {
    for (const right of ['', 'https://example.org/keep'])
      expect(complaintsOf(ServerSettings, { public_url: right })).to.equal('');
  });
});
