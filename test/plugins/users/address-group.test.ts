import { expect } from 'chai';
import { addressGroup } from '../../../plugins/users/address-group.ts';

describe('the group of an address', () => {
  const cases: readonly [string, string][] = [
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ];
  for (const [address, group] of cases) {
    it(`${address} belongs to ${group}`, () => expect(addressGroup(address)).to.equal(group));
  }
});
