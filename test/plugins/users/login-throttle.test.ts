import { expect } from 'chai';
import type { Problem } from '../../../core/index.ts';
import { LoginThrottle } from '../../../plugins/users/login-throttle.ts';
import { heldBytes } from '../../support/held-bytes.ts';
import { manualClock, type ManualClock } from './manual-clock.ts';

const limits = { login_failures_per_account: 3, login_failures_per_address: 5 };

describe('the login throttle', () => {
  let clock: ManualClock;
  let throttle: LoginThrottle;

  beforeEach(() => {
    clock = manualClock();
    throttle = new LoginThrottle(clock, limits);
  });

  function fail(times: number, account = 'ada', address = (n: number) => `10.0.0.${n}`): void {
    for (let n = 0; n < times; n++) throttle.failed(account, address(n));
  }

  /** Seconds to wait, 0 when admitted. */
  function wait(account = 'ada', address = '10.9.9.9'): number {
    try {
      throttle.admit(account, address);
      return 0;
    } catch (error) {
      expect((error as Problem).status).to.equal(429);
      return Number((error as Problem).extras.headers?.['Retry-After']);
    }
  }

  describe('of an account', () => {
    it('admits until the allowed failures are used up', () => {
      fail(2);
      expect(wait()).to.equal(0);
    });

    it('asks for a second then', () => {
      fail(3);
      expect(wait()).to.equal(1);
    });

    it('doubles the delay with each further failure', () => {
      fail(6);
      expect(wait()).to.equal(8);
    });

    it('never asks for more than the longest delay', () => {
      fail(40);
      expect(wait()).to.equal(900);
    });

    it('admits when the delay has passed', () => {
      fail(6);
      clock.advance(8000);
      expect(wait()).to.equal(0);
    });

    it('holds for names of any length, which take no more memory than others', () => {
      const name = (n: number) => `${n}${'ﷺ'.repeat(250)}`.normalize('NFKC');
      const before = heldBytes();
      for (let n = 0; n < 20_000; n++) throttle.failed(name(n), '10.0.0.1');
      expect(heldBytes() - before).to.be.lessThan(32 * 1024 * 1024);
      fail(5, name(19_999));
      expect([wait(name(19_999)), wait(name(19_998))]).to.deep.equal([8, 0]);
    });

    it('does not hold up other accounts', () => {
      fail(6);
      expect(wait('grace')).to.equal(0);
    });

    it('forgets the failures after a success', () => {
      fail(2);
      throttle.succeeded('ada');
      fail(2);
      expect(wait()).to.equal(0);
    });

    it('forgets the failures after a quiet hour', () => {
      fail(6);
      clock.advance(3_600_000 + 8000);
      fail(1);
      expect(wait()).to.equal(0);
    });
  });

  describe('of an address', () => {
    const spread = (times: number, address: string) => {
      for (let n = 0; n < times; n++) throttle.failed(`account ${n}`, address);
    };

    it('asks for the rest of the minute after too many failures of different accounts', () => {
      spread(1, '10.0.0.1');
      clock.advance(20_000);
      spread(4, '10.0.0.1');
      expect(wait('ada', '10.0.0.1')).to.equal(40);
    });

    it('admits in the next minute', () => {
      spread(5, '10.0.0.1');
      clock.advance(60_000);
      expect(wait('ada', '10.0.0.1')).to.equal(0);
    });

    it('does not hold up other addresses', () => {
      spread(5, '10.0.0.1');
      expect(wait('ada', '10.0.0.2')).to.equal(0);
    });

    it('counts the addresses of one IPv6 network together', () => {
      for (let n = 0; n < 5; n++) throttle.failed(`account ${n}`, `2001:db8:1:2::${n}`);
      expect(wait('ada', '2001:db8:1:2:ffff::1')).to.equal(60);
    });
  });

  it('stays in bounds when ever new accounts fail', () => {
    fail(4);
    for (let n = 0; n < 20_001; n++) throttle.failed(`account ${n}`, `${n}`);
    expect(wait()).to.equal(0);
  });
});
