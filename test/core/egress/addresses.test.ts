import { expect } from 'chai';
import { kindOf, parseAddress, type AddressKind } from '../../../core/egress/guard/addresses.ts';

const table: Readonly<Record<AddressKind, readonly string[]>> = {
  public: [
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.255',
    'fd12:3456::1',
    'fc00::1',
    'fd00:42::1',
    'fd00:c1::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
  ],
  loopback: ['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1'],
  reserved: [
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '192.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    'ff02::1',
    'fec0::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2001:0:7f00:1::',
    '::7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b:1::7f00:1',
    '100::1',
  ],
  forbidden: [
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'fd00:a9fe:a9fe::1',
    'fd00:100::100:200',
    'fe80::a9fe:a9fe',
    '169.254.42.42',
    '::ffff:100.100.100.200',
    '64:ff9b::a83f:8110',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::',
    '2001:0:0:0:0:0:5601:5601',
    '::a9fe:a9fe',
    '::ffff:0:a9fe:a9fe',
  ],
};

describe('the kind of an address', () => {
  for (const [kind, addresses] of Object.entries(table)) {
    for (const text of addresses) {
      it(`of ${text} is ${kind}`, () => {
        const address = parseAddress(text);
        expect(address && kindOf(address)).to.equal(kind);
      });
    }
  }

  for (const text of ['example.org', '1.2.3', '0x7f.0.0.1', '127.0.0.1.', '', '1.2.3.4.5', '[::1', 'fe80']) {
    it(`is not asked of "${text}", which is no address in canonical notation`, () => {
      expect(parseAddress(text)).to.equal(undefined);
    });
  }
});
