import { hash, verify } from '@node-rs/argon2';
import { Bulkhead, Overloaded, randomSecret, token } from '../../core/index.ts';

/** argon2id, as OWASP recommends: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Hashes run in the thread pool of libuv, which has four threads and which DNS and files use as well. */
const LIMIT = 2;
const QUEUE_LIMIT = 256;

export interface Passwords {
  /** Throws `Overloaded` when too many passwords wait already. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches the hash that `stored` returns; `stored` is called when the check leaves the queue, and
   * its errors are rethrown. Without a hash this takes the same time and returns false. Throws `Overloaded` as `hash`.
   */
  matches(password: string, stored: () => Promise<string | undefined>): Promise<boolean>;
}

export const PASSWORDS = token<Passwords>('users:passwords');

/** Hashes with argon2id, two passwords at a time; at most `queueLimit` wait. */
export function createPasswords(queueLimit = QUEUE_LIMIT): Passwords {
  const bulkhead = new Bulkhead({ limit: LIMIT, queueLimit, refuse: overloaded });
  const unmatchable = unmatchableHash();
  return {
    hash: (password) => bulkhead.run(() => hash(sameForm(password), COST)),
    matches: (password, stored) =>
      bulkhead.run(async () => verify((await stored()) ?? unmatchable, sameForm(password))),
  };
}

function overloaded(): Error {
  return Overloaded('Too many passwords are being checked. Try again in 2 seconds.', {
    headers: { 'Retry-After': '2' },
  });
}

/** Normalises a password, so that the same characters from different keyboards match. */
function sameForm(password: string): string {
  return password.normalize('NFKC');
}

/** A hash that no password has and that takes as long to check as any other. */
function unmatchableHash(): string {
  const part = (bytes: number) => randomSecret(bytes).toString('base64').replaceAll('=', '');
  const { memoryCost, timeCost, parallelism } = COST;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`;
}
