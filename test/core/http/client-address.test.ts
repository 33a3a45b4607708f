import { expect } from 'chai';
import { clientAddress } from '../../../core/http/client-address.ts';
import { ServerSettings } from '../../../core/http/server-settings.ts';
import { complaintsOf } from '../../support/complaints.ts';
import { quiet } from '../../support/quiet.ts';
import { memoryLogger, type LogLine } from './support.ts';

describe('the address of the client', () => {
  const of = (trust: string, peer: string, header?: string): string =>
    clientAddress(trust, quiet)(peer, { header: () => header });

  it('is that of the peer when no proxy is trusted', () => {
    expect(of('', '10.0.0.1', '1.2.3.4')).to.equal('10.0.0.1');
  });

  it('is what the nearest proxy saw, behind one', () => {
    expect(of('1', '10.0.0.1', '6.6.6.6, 1.2.3.4')).to.equal('1.2.3.4');
  });

  it('is what the second proxy saw, behind two', () => {
    expect(of('2', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2')).to.equal('1.2.3.4');
  });

  it('is the farthest known one when the header is shorter than the number of proxies', () => {
    expect(of('3', '10.0.0.1', '1.2.3.4')).to.equal('1.2.3.4');
    expect(of('3', '10.0.0.1')).to.equal('10.0.0.1');
  });

  it('is the first one outside the trusted networks', () => {
    expect(of('10.0.0.0/8, fd00::/8', '10.0.0.1', '6.6.6.6, 1.2.3.4, 10.9.9.9')).to.equal('1.2.3.4');
    expect(of('10.0.0.0/8', '9.9.9.9', '1.2.3.4')).to.equal('9.9.9.9');
  });

  it('is the address alone where a proxy writes the port as well, or quotes', () => {
    for (const entry of ['203.0.113.7:51111', '"203.0.113.7"', ' "203.0.113.7:51111" ']) {
      expect(of('1', '10.0.0.1', entry)).to.equal('203.0.113.7');
    }
    for (const entry of ['[2001:db8::1]', '"[2001:db8::1]:443"', '2001:db8::1', '"2001:db8::1"']) {
      expect(of('1', '10.0.0.1', entry)).to.equal('2001:db8::1');
    }
  });

  it('is the IPv4 address where a proxy writes it as IPv6, in brackets and with the port', () => {
    expect(of('1', '10.0.0.1', '[::ffff:203.0.113.7]:51111')).to.equal('203.0.113.7');
  });

  it('stops before an entry that is no address', () => {
    expect(of('10.0.0.0/8', '10.0.0.1', '1.2.3.4, <script>, 10.0.0.2')).to.equal('10.0.0.2');
  });

  describe('that a trusted proxy does not report', () => {
    let lines: LogLine[];
    const ask = (trust: string, ...headers: (string | undefined)[]): void => {
      const find = clientAddress(trust, memoryLogger((lines = [])));
      for (const header of headers) find('10.0.0.1', { header: () => header });
    };

    for (const trust of ['1', '10.0.0.0/8']) {
      it(`is reported once in the log, with the entry, for TRUST_PROXY=${trust}`, () => {
        ask(trust, '1.2.3.4, unknown', 'unknown', '_hidden');
        expect(lines).to.have.length(1);
        expect(lines[0]).to.include({ level: 'warn', entry: ' unknown' });
        expect(lines[0]!.message).to.contain('TRUST_PROXY');
      });

      it(`is not reported when the client wrote the entry, for TRUST_PROXY=${trust}`, () => {
        ask(trust, 'unknown, 1.2.3.4', '1.2.3.4', undefined);
        expect(lines).to.deep.equal([]);
      });
    }

    it('is cut in the log', () => {
      ask('1', 'x'.repeat(5000));
      expect(lines[0]!.entry).to.have.length(100);
    });
  });

  it('shows IPv4 as IPv4 on an IPv6 socket, and in the list of a proxy that does not', () => {
    expect(of('', '::ffff:1.2.3.4')).to.equal('1.2.3.4');
    expect(of('10.0.0.0/8', '::ffff:10.0.0.1', '::FFFF:1.2.3.4')).to.equal('1.2.3.4');
  });

  it('is seen through a proxy on the same link', () => {
    expect(of('fe80::/10', 'fe80::1%eth0', '1.2.3.4')).to.equal('1.2.3.4');
  });

  for (const wrong of [
    'yes',
    '10.0.0.0/33',
    '10.0.0.1,proxy.local',
    '10.0.0.0/x',
    '10.0.0.0/',
    '10.0.0.0/8/24',
    '10.0.0.0/1e1',
    '10.0.0.0/ ',
    '10.0.0.0/8,',
  ]) {
    it(`stops the start on TRUST_PROXY=${wrong}`, () => {
      const entry = wrong.split(',').at(-1)!.trim();
      expect(complaintsOf(ServerSettings, { trust_proxy: wrong }))
        .to.include(`"server.trust_proxy" holds "${entry}"`)
        .and.to.include('TRUST_PROXY');
    });
  }

  for (const right of ['', '0', 'false', '2', ' 10.0.0.0/8 , fd00::/8']) {
    it(`takes TRUST_PROXY=${right}`, () => {
      expect(complaintsOf(ServerSettings, { trust_proxy: right })).to.equal('');
    });
  }
});
