import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { token, type Clock } from '../../core/index.ts';
import { addressGroup } from './address-group.ts';
import type { LoginFailure } from './metrics.ts';
import { TooManyAttempts } from './problems.ts';

const MINUTE = 60_000;
/** The failures of a subject expire after this time without another one. */
const QUIET = 60 * MINUTE;
/** Long enough to make guessing useless, short enough for an owner whose account is being guessed at. */
const LONGEST_DELAY_S = 900;
/** Entries; unlike `max`, `maxSize` allocates nothing in advance. */
const ROOM = { maxSize: 20_000, sizeCalculation: () => 1 };
const LONGEST_KEPT = 64;

export interface ThrottleLimits {
  readonly login_failures_per_account: number;
  readonly login_failures_per_address: number;
}

type OnFailure = (reason: LoginFailure) => void;

interface Failures {
  count: number;
  /** When the count expires, in milliseconds of the monotonic clock. */
  expiresAt: number;
  waitUntil: number;
}

/** Whose guesses are counted together. A login may name anything as its account, so that comes last. */
export const guessing = {
  /** From addresses that the account did not sign in from. */
  account: (account: string) => `account ${account}`,
  /** From one that it did sign in from, where guesses from elsewhere must not make its owner wait. */
  knownAddress: (account: string, address: string) => `address ${addressGroup(address)} ${account}`,
  /** With a valid token, which shows more than an address does. */
  token: (id: string) => `token ${id}`,
};

/**
 * Slows down guessing of passwords: per subject (see `guessing`) by a delay that doubles with each further failure, per
 * address by a limit of failures per minute. Each instance counts in bounded memory. `failures` names them in answers.
 */
export class LoginThrottle {
  readonly #clock: Clock;
  readonly #limits: ThrottleLimits;
  readonly #onFailure: OnFailure;
  readonly #subjects = new LRUCache<string, Failures>(ROOM);
  readonly #addresses = new LRUCache<string, Failures>(ROOM);
  readonly #failures: string;

  /** `failures` names the attempts in the message; `onFailure` is called for each failed and each refused one. */
  constructor(
    clock: Clock,
    limits: ThrottleLimits,
    failures = 'failed logins',
    onFailure: OnFailure = () => undefined,
  ) {
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.#limits = limits;
    this.#failures = failures;
  }

  /** Throws `TooManyAttempts` while the subject or the address has to wait. */
  admit(subject: string, address?: string): void {
    const now = this.#clock.elapsed();
    const waits = [
      this.#subjects.get(keptAs(subject)),
      address === undefined ? undefined : this.#addresses.get(addressGroup(address)),
    ];
    const until = Math.max(...waits.map((failures) => failures?.waitUntil ?? 0));
    if (until <= now) return;
    const seconds = Math.ceil((until - now) / 1000);
    this.#onFailure('throttled');
    throw TooManyAttempts(`Too many ${this.#failures}. Try again in ${seconds} s.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }

  failed(subject: string, address?: string): void {
    this.#onFailure(address === undefined ? 'wrong_current_password' : 'wrong');
    const now = this.#clock.elapsed();
    const ofSubject = counted(this.#subjects, keptAs(subject), now, QUIET);
    ofSubject.waitUntil = now + this.#delay(ofSubject.count);
    ofSubject.expiresAt = ofSubject.waitUntil + QUIET;
    if (address === undefined) return;
    const ofAddress = counted(this.#addresses, addressGroup(address), now, MINUTE);
    if (ofAddress.count >= this.#limits.login_failures_per_address) ofAddress.waitUntil = ofAddress.expiresAt;
  }

  succeeded(subject: string): void {
    this.#subjects.delete(keptAs(subject));
  }

  #delay(failures: number): number {
    const over = failures - this.#limits.login_failures_per_account;
    if (over < 0) return 0;
    return Math.min(LONGEST_DELAY_S, 2 ** Math.min(over, 30)) * 1000;
  }
}

/** The key of a subject. A login may have a name of thousands of characters, so long ones are digested. */
function keptAs(subject: string): string {
  return subject.length > LONGEST_KEPT ? hash('sha256', subject, 'base64url') : subject;
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
