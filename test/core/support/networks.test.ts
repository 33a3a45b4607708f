import { expect } from 'chai';
import { networkMatcher, parseNetwork, plainAddress } from '../../../core/support/networks.ts';

describe('networks', () => {
  const matches = (network: string, address: string): boolean => networkMatcher([network])!(address);

  const inside: readonly [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.0/24', '192.0.2.255'],
    ['10.0.0.0/8', '10.200.1.1'],
    ['0.0.0.0/0', '203.0.113.9'],
    ['2001:db8::/32', '2001:db8:1::5'],
    ['192.0.2.0/24', '::ffff:192.0.2.9'],
    ['192.0.2.0/24', '::FFFF:c000:209'],
    ['::ffff:192.0.2.0/120', '192.0.2.9'],
    ['fe80::/10', 'fe80::1%eth0'],
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
    '192.0.2.0/1e1',
    '192.0.2.0/ 8',
    '192.0.2.0/-1',
    '1.1.1.1/8/8',
  ]) {
    it(`"${text}" is none`, () => expect(parseNetwork(text)).to.equal(undefined));
  }

  it('an address with a zone is none', () => expect(parseNetwork('fe80::1%eth0')).to.equal(undefined));
});

describe('the plain form of an address', () => {
  for (const [address, plain] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['0::ffff:192.0.2.7', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::ffff:c000:207', '2001:db8::ffff:c000:207'],
    ['::1', '::1'],
    ['nobody', 'nobody'],
  ] as const) {
    it(`of ${address} is ${plain}`, () => expect(plainAddress(address)).to.equal(plain));
  }
});
