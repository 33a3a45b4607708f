import { expect } from 'chai';
import { networkMatcher, parseNetwork } from '../../../plugins/gateway/rules/networks.ts';

describe('networks of block rules', () => {
  const matches = (network: string, address: string): boolean =>
    networkMatcher([parseNetwork(network)!])(address);

  const inside: readonly [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.0/24', '192.0.2.255'],
    ['10.0.0.0/8', '10.200.1.1'],
    ['0.0.0.0/0', '203.0.113.9'],
    ['2001:db8::/32', '2001:db8:1::5'],
    ['192.0.2.0/24', '::ffff:192.0.2.9'],
  ];
  for (const [network, address] of inside) {
    it(`${network} contains ${address}`, () => expect(matches(network, address)).to.equal(true));
  }

  const outside: readonly [string, string][] = [
    ['192.0.2.7', '192.0.2.8'],
    ['192.0.2.0/24', '192.0.3.0'],
    ['2001:db8::/32', '2001:db9::1'],
    ['0.0.0.0/0', '2001:db8::1'],
    ['0.0.0.0/0', 'nowhere'],
  ];
  for (const [network, address] of outside) {
    it(`${network} does not contain ${address}`, () => expect(matches(network, address)).to.equal(false));
  }

  for (const text of [
    '',
    'localhost',
    '192.0.2',
    '192.0.2.0/33',
    '2001:db8::/129',
    '192.0.2.0/',
    '1.1.1.1/8/8',
  ]) {
    it(`"${text}" is none`, () => expect(parseNetwork(text)).to.equal(undefined));
  }

  it('an address with a zone is none', () => expect(parseNetwork('fe80::1%eth0')).to.equal(undefined));
});
