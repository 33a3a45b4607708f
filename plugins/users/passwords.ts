import { randomSecret, token } from '../../core/index.ts';
import type { HashQueue } from './hash-queue.ts';
import type { HashThread } from './hash-thread.ts';

/** argon2id, as OWASP recommends: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Whether the password belongs to the hash that `stored` looks up once its turn has come, and what it throws is
   * thrown. Without a stored hash it takes the same time and answers false.
   */
  matches(password: string, stored: () => Promise<string | undefined>): Promise<boolean>;
}

export const PASSWORDS = token<Passwords>('users:passwords');

/** Hashes with argon2id. */
export function createPasswords(thread: HashThread, queue: HashQueue): Passwords {
  const nobodys = unmatchable();
  return {
    hash: (password) => queue.run(() => thread.hash(sameForm(password), COST)),
    matches: (password, stored) =>
      queue.run(async () => thread.verify((await stored()) ?? nobodys, sameForm(password))),
  };
}

/** The same characters typed on different keyboards are the same password. */
function sameForm(password: string): string {
  return password.normalize('NFKC');
}

/** A hash that costs as much to check as any other and that no password has. */
function unmatchable(): string {
  const part = (bytes: number) => randomSecret(bytes).toString('base64').replaceAll('=', '');
  const { memoryCost, timeCost, parallelism } = COST;
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${part(16)}$${part(32)}`;
}
