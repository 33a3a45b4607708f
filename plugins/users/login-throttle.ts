import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { token, type Clock } from '../../core/index.ts';
import { addressGroup } from './address-group.ts';
import { TooManyAttempts } from './problems.ts';

const MINUTE = 60_000;
/** The failures of an account expire after this time without another one. */
const QUIET = 60 * MINUTE;
/** Long enough to make guessing useless, short enough for an owner whose account is being guessed at. */
const LONGEST_DELAY_S = 900;
const MAX_ENTRIES = 20_000;
const LONGEST_KEPT = 64;

export interface ThrottleLimits {
  readonly login_failures_per_account: number;
  readonly login_failures_per_address: number;
}

interface Failures {
  count: number;
  /** When the count expires, in milliseconds of the monotonic clock. */
  expiresAt: number;
  waitUntil: number;
}

/**
 * Slows down guessing of passwords: per account by a delay that doubles with each further failure, per address by a
 * limit of failures per minute. Treats known and unknown accounts alike. Each instance counts in bounded memory.
 */
export class LoginThrottle {
  readonly #clock: Clock;
  readonly #limits: ThrottleLimits;
  readonly #accounts = new LRUCache<string, Failures>({ max: MAX_ENTRIES });
  readonly #addresses = new LRUCache<string, Failures>({ max: MAX_ENTRIES });

  constructor(clock: Clock, limits: ThrottleLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Throws `TooManyAttempts` while the account or the address has to wait. */
  admit(account: string, address: string): void {
    const now = this.#clock.elapsed();
    const waits = [this.#accounts.get(keptAs(account)), this.#addresses.get(addressGroup(address))];
    const until = Math.max(...waits.map((failures) => failures?.waitUntil ?? 0));
    if (until <= now) return;
    const seconds = Math.ceil((until - now) / 1000);
    throw TooManyAttempts(`Too many failed logins. Try again in ${seconds} seconds.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  failed(account: string, address: string): void {
    const now = this.#clock.elapsed();
    const ofAccount = counted(this.#accounts, keptAs(account), now, QUIET);
    ofAccount.waitUntil = now + this.#delay(ofAccount.count);
    ofAccount.expiresAt = ofAccount.waitUntil + QUIET;
    const ofAddress = counted(this.#addresses, addressGroup(address), now, MINUTE);
    if (ofAddress.count >= this.#limits.login_failures_per_address) ofAddress.waitUntil = ofAddress.expiresAt;
  }

  succeeded(account: string): void {
    this.#accounts.delete(keptAs(account));
  }

  #delay(failures: number): number {
    const over = failures - this.#limits.login_failures_per_account;
    if (over < 0) return 0;
    return Math.min(LONGEST_DELAY_S, 2 ** Math.min(over, 30)) * 1000;
  }
}

/** The key of an account. A login may have a name of thousands of characters, so long names are digested. */
function keptAs(account: string): string {
  return account.length > LONGEST_KEPT ? hash('sha256', account, 'base64url') : account;
}

/** Counts one more failure. */
function counted(entries: LRUCache<string, Failures>, key: string, now: number, window: number): Failures {
  const known = entries.get(key);
  const failures =
    known && known.expiresAt > now ? known : { count: 0, expiresAt: now + window, waitUntil: 0 };
  failures.count += 1;
  entries.set(key, failures);
  return failures;
}

export const LOGIN_THROTTLE = token<LoginThrottle>('users:login-throttle');
