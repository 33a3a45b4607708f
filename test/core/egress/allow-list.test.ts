import { expect } from 'chai';
import { parseAddress } from '../../../core/egress/guard/addresses.ts';
import { parseAllowList } from '../../../core/egress/guard/allow-list.ts';
import { EgressSettings } from '../../../core/egress/settings.ts';
import { complaintsOf } from '../../support/complaints.ts';

const address = (entry: string, text: string, port = 80) =>
  parseAllowList([entry]).address(parseAddress(text)!, port);
const host = (entry: string, name: string, port = 80) => parseAllowList([entry]).host(name, port);

describe('the allow list', () => {
  it('lets an address through', () => {
    expect(address('10.1.2.3', '10.1.2.3')).to.equal(true);
  });

  it('lets no other address through', () => {
    expect(address('10.1.2.3', '10.1.2.4')).to.equal(false);
  });

  it('lets a network through', () => {
    expect(address('10.0.0.0/8', '10.255.0.1')).to.equal(true);
  });

  it('lets nothing outside the network through', () => {
    expect(address('10.0.0.0/8', '11.0.0.1')).to.equal(false);
  });

  it('knows IPv6 addresses and networks', () => {
    expect([address('fd00::1', 'fd00::1'), address('fd00::/8', 'fd12::1')]).to.deep.equal([true, true]);
  });

  it('treats an IPv4-mapped IPv6 address as the IPv4 address', () => {
    expect(address('10.1.2.3', '::ffff:10.1.2.3')).to.equal(true);
  });

  it('treats an IPv4-mapped IPv6 address in an entry as the IPv4 address', () => {
    expect([address('::ffff:10.1.2.3', '10.1.2.3'), address('::ffff:10.1.2.3', '10.1.2.4')]).to.deep.equal([
      true,
      false,
    ]);
  });

  it('lets a name through, in any case and with the dot at its end', () => {
    expect(host('Models.LAN.', 'models.lan')).to.equal(true);
  });

  it('does not let subdomains of a name through', () => {
    expect(host('lan', 'models.lan')).to.equal(false);
  });

  for (const [entry, target] of [
    ['10.1.2.3:8080', '10.1.2.3'],
    ['10.0.0.0/8:8080', '10.1.2.3'],
    ['[fd00::1]:8080', 'fd00::1'],
    ['[fd00::/8]:8080', 'fd00::1'],
  ] as const) {
    it(`keeps ${entry} to its port`, () => {
      expect([address(entry, target, 8080), address(entry, target, 8081)]).to.deep.equal([true, false]);
    });
  }

  it('keeps a name to its port', () => {
    expect([
      host('models.lan:8080', 'models.lan', 8080),
      host('models.lan:8080', 'models.lan'),
    ]).to.deep.equal([true, false]);
  });

  it('ignores empty entries', () => {
    expect(parseAllowList(['', ' ']).host('', 80)).to.equal(false);
  });

  for (const entry of [
    'http://models.lan',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/1e1',
    '64:ff9b::/96',
    '*.lan',
    'a b',
    'models.lan:0',
    'models.lan:99999',
    '1.2.3',
    '[fd00::1',
    'user@host',
  ]) {
    it(`stops the start at "${entry}" and names the setting`, () => {
      expect(complaintsOf(EgressSettings, { allow: ['models.lan', entry] }))
        .to.include(`"egress.allow" holds "${entry}"`)
        .and.to.include('EGRESS_ALLOW');
    });
  }
});
